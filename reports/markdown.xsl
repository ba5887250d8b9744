<?xml version="1.0" encoding="UTF-8"?>
<!-- SPDX-License-Identifier: MIT -->
<!-- Markdown for the summary of a CI job from the result XML: the verdict, a table, and what is
     broken with the command that shows it again. Far below the 1 MiB that GitHub takes. -->
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"
    xmlns:str="http://exslt.org/strings" exclude-result-prefixes="str">
  <xsl:output method="text" encoding="UTF-8"/>

  <!-- So many statements of a run are told; of a text so many characters. -->
  <xsl:variable name="statements-max" select="25"/>
  <xsl:variable name="text-max" select="600"/>

  <xsl:key name="verdict" match="/results/verdicts/verdict" use="@name"/>
  <xsl:key name="statement" match="/results/spec/statement" use="@id"/>
  <xsl:key name="document" match="/results/spec/document" use="@number"/>
  <xsl:key name="rule" match="/results/spec/statement/rule" use="@id"/>
  <xsl:variable name="verdicts" select="/results/verdicts/verdict"/>

  <!-- Text in which nothing is markup, on one line. -->
  <xsl:template name="plain">
    <xsl:param name="text"/>
    <xsl:variable name="short">
      <xsl:value-of select="substring(normalize-space($text), 1, $text-max)"/>
      <xsl:if test="string-length(normalize-space($text)) &gt; $text-max">...</xsl:if>
    </xsl:variable>
    <xsl:call-template name="escape"><xsl:with-param name="text" select="string($short)"/></xsl:call-template>
  </xsl:template>

  <xsl:variable name="markup">\`*_{}[]&lt;&gt;#|~&amp;</xsl:variable>

  <xsl:template name="escape">
    <xsl:param name="text"/>
    <xsl:for-each select="str:tokenize($text, '')">
      <xsl:choose>
        <xsl:when test=". = '&lt;'">&amp;lt;</xsl:when>
        <xsl:when test=". = '&amp;'">&amp;amp;</xsl:when>
        <xsl:otherwise>
          <xsl:if test="contains($markup, .)">\</xsl:if>
          <xsl:value-of select="."/>
        </xsl:otherwise>
      </xsl:choose>
    </xsl:for-each>
  </xsl:template>

  <xsl:template name="run-name">
    <xsl:call-template name="plain">
      <xsl:with-param name="text">
        <xsl:choose>
          <xsl:when test="@name != ''"><xsl:value-of select="concat(@name, ' ', @version)"/></xsl:when>
          <xsl:otherwise><xsl:value-of select="@path"/></xsl:otherwise>
        </xsl:choose>
      </xsl:with-param>
    </xsl:call-template>
  </xsl:template>

  <xsl:template name="conclusion">
    <xsl:choose>
      <xsl:when test="@end = 'running'">has not ended</xsl:when>
      <xsl:when test="@end = 'not started'">could not be loaded</xsl:when>
      <xsl:when test="@end = 'stopped'">was stopped</xsl:when>
      <xsl:when test="@exit-code = 0 and total/@waived &gt; 0">conforms, but for what is waived</xsl:when>
      <xsl:when test="@exit-code = 0">conforms</xsl:when>
      <xsl:when test="@exit-code = 1">does not conform</xsl:when>
      <xsl:when test="total/@broken &gt; 0">could not be tested in full: the set-up failed</xsl:when>
      <xsl:otherwise>was not tested: no case reached a verdict</xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <xsl:template match="/results">
    <xsl:for-each select="run">
      <xsl:text>## </xsl:text>
      <xsl:call-template name="run-name"/>
      <xsl:text> </xsl:text>
      <xsl:call-template name="conclusion"/>
      <xsl:text>&#10;&#10;</xsl:text>
      <xsl:value-of select="concat(count(statement[@proven]), ' of ',
          count(/results/spec/statement[@status != 'not-testable']),
          ' testable statements are proven; level ', @level, ', WDDM ', @first, ' to ', @last, ', ',
          @reached, ' of ', @selected, ' cases in ', format-number(@seconds, '0.0'), ' s.')"/>
      <xsl:if test="@error">
        <xsl:text> Error: </xsl:text>
        <xsl:call-template name="plain"><xsl:with-param name="text" select="@error"/></xsl:call-template>
      </xsl:if>
      <xsl:text>&#10;&#10;</xsl:text>
      <xsl:call-template name="table"/>
      <xsl:call-template name="broken"/>
    </xsl:for-each>
  </xsl:template>

  <!-- Cases by document and verdict; of verdicts only those that occur. -->
  <xsl:template name="table">
    <xsl:variable name="run" select="."/>
    <xsl:variable name="total" select="total"/>
    <xsl:text>| document | statements proven |</xsl:text>
    <xsl:for-each select="$verdicts">
      <xsl:if test="$total/@*[name() = current()/@name]">
        <xsl:value-of select="concat(' ', @name, ' |')"/>
      </xsl:if>
    </xsl:for-each>
    <xsl:text>&#10;|---|---:|</xsl:text>
    <xsl:for-each select="$verdicts">
      <xsl:if test="$total/@*[name() = current()/@name]">---:|</xsl:if>
    </xsl:for-each>
    <xsl:text>&#10;</xsl:text>
    <xsl:for-each select="/results/spec/document">
      <xsl:variable name="number" select="@number"/>
      <xsl:variable name="own" select="$run/statement[key('statement', @ref)/@document = $number]"/>
      <xsl:text>| </xsl:text>
      <xsl:call-template name="plain"><xsl:with-param name="text" select="@title"/></xsl:call-template>
      <xsl:value-of select="concat(' | ', count($own[@proven]), ' of ',
          count(/results/spec/statement[@document = $number and @status != 'not-testable']), ' |')"/>
      <xsl:for-each select="$verdicts">
        <xsl:if test="$total/@*[name() = current()/@name]">
          <xsl:value-of select="concat(' ', sum($own/@*[name() = current()/@name]), ' |')"/>
        </xsl:if>
      </xsl:for-each>
      <xsl:text>&#10;</xsl:text>
    </xsl:for-each>
    <xsl:text>| all | </xsl:text>
    <xsl:value-of select="concat(count(statement[@proven]), ' of ',
        count(/results/spec/statement[@status != 'not-testable']), ' |')"/>
    <xsl:for-each select="$verdicts">
      <xsl:if test="$total/@*[name() = current()/@name]">
        <xsl:value-of select="concat(' ', $total/@*[name() = current()/@name], ' |')"/>
      </xsl:if>
    </xsl:for-each>
    <xsl:text>&#10;&#10;</xsl:text>
  </xsl:template>

  <xsl:template name="broken">
    <xsl:variable name="bad" select="statement[key('verdict', @verdict)/@rank = 4]"/>
    <xsl:if test="$bad">
      <xsl:text>### What is broken&#10;&#10;</xsl:text>
      <!-- What nothing but sequences broke comes last: it may follow from the others. -->
      <xsl:for-each select="$bad">
        <xsl:sort select="number(not(case[@kind != 'sequence'][key('verdict', @verdict)/@rank = 4]))"
            data-type="number"/>
        <xsl:if test="position() &lt;= $statements-max"><xsl:call-template name="failure"/></xsl:if>
      </xsl:for-each>
      <xsl:if test="count($bad) &gt; $statements-max">
        <xsl:value-of select="concat('... and ', count($bad) - $statements-max,
            ' statements more.&#10;&#10;')"/>
      </xsl:if>
    </xsl:if>
  </xsl:template>

  <xsl:template name="failure">
    <xsl:variable name="statement" select="key('statement', @ref)"/>
    <xsl:variable name="cases" select="case[key('verdict', @verdict)/@rank = 4]"/>
    <xsl:value-of select="concat('**', @ref, ' ', @verdict, '** (', $statement/@level, ', ',
        $statement/@basis, '; ', count($cases), ' of ', @count, ' cases): ')"/>
    <xsl:call-template name="plain"><xsl:with-param name="text" select="$statement/text"/></xsl:call-template>
    <xsl:text>&#10;&#10;</xsl:text>
    <xsl:for-each select="$cases">
      <xsl:sort select="@facts" data-type="number"/>
      <xsl:if test="position() = 1">
        <xsl:text>- came: </xsl:text>
        <xsl:call-template name="plain"><xsl:with-param name="text" select="why"/></xsl:call-template>
        <xsl:text>&#10;- says so: </xsl:text>
        <xsl:call-template name="plain">
          <xsl:with-param name="text" select="concat(key('document', $statement/@document)/@title, ', ',
              $statement/@where)"/>
        </xsl:call-template>
        <xsl:text> (`</xsl:text>
        <xsl:value-of select="concat(key('rule', @rule)/@file, ':', key('rule', @rule)/@line)"/>
        <xsl:text>`)&#10;- again:&#10;&#10;  ```sh&#10;  </xsl:text>
        <xsl:value-of select="replay"/>
        <xsl:text>&#10;  ```&#10;&#10;</xsl:text>
      </xsl:if>
    </xsl:for-each>
  </xsl:template>
</xsl:stylesheet>
