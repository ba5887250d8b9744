<?xml version="1.0" encoding="UTF-8"?>
<!-- SPDX-License-Identifier: MIT -->
<!-- Markdown for the summary of a CI job from the result XML: the verdict, a table, and what is
     broken with the command that shows it again. Far below the 1 MiB that GitHub takes. -->
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"
    xmlns:str="http://exslt.org/strings" exclude-result-prefixes="str">
  <xsl:output method="text" encoding="UTF-8"/>

  <!-- How many causes are listed, and characters of a text. -->
  <xsl:variable name="causes-max" select="25"/>
  <xsl:variable name="text-max" select="600"/>

  <xsl:key name="verdict" match="/results/verdicts/verdict" use="@name"/>
  <xsl:key name="statement" match="/results/spec/statement" use="@id"/>
  <xsl:key name="document" match="/results/spec/document" use="@number"/>
  <xsl:key name="of-cause" match="/results/run/statement/case[@cause]"
      use="concat(../../@number, ' ', @cause)"/>
  <xsl:key name="rule" match="/results/spec/statement/rule" use="@id"/>
  <xsl:variable name="verdicts" select="/results/verdicts/verdict"/>

  <!-- Text on one line, with markup escaped. -->
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

  <!-- The words before the scope in the last line of the run. -->
  <xsl:template name="conclusion">
    <xsl:value-of select="substring-before(concat(@headline, ':'), ':')"/>
  </xsl:template>

  <xsl:template match="/results">
    <xsl:for-each select="run">
      <xsl:text>## </xsl:text>
      <xsl:call-template name="run-name"/>
      <xsl:text> </xsl:text>
      <xsl:call-template name="conclusion"/>
      <xsl:text>&#10;&#10;</xsl:text>
      <xsl:call-template name="plain"><xsl:with-param name="text" select="@headline"/></xsl:call-template>
      <xsl:text>&#10;&#10;</xsl:text>
      <xsl:value-of select="concat(count(statement[@proven]), ' of ',
          count(statement[@testable]), ' testable statements are proven')"/>
      <xsl:if test="@in-scope">
        <xsl:value-of select="concat(', ', @tested, ' of ', @in-scope, ' in scope tested')"/>
        <xsl:if test="@in-part != 0">
          <xsl:value-of select="concat(', ', @in-part, ' of these in part')"/>
        </xsl:if>
      </xsl:if>
      <xsl:value-of select="concat('; level ', @level, ', WDDM ', @first, ' to ', @last, ', ',
          @reached, ' of ', @selected, ' cases in ', format-number(@seconds, '0.0'), ' s.')"/>
      <xsl:if test="@unrepeated">
        <xsl:text> Cases that hung or died by SIGKILL, and not when run again alone: </xsl:text>
        <xsl:call-template name="plain"><xsl:with-param name="text" select="concat(@unrepeated, ', the first ', @unrepeated-first)"/></xsl:call-template>
        <xsl:text>.</xsl:text>
      </xsl:if>
      <xsl:if test="@left">
        <xsl:text> Processes left behind, ended with the run: </xsl:text>
        <xsl:call-template name="plain"><xsl:with-param name="text" select="concat(@left, ': ', @left-names)"/></xsl:call-template>
        <xsl:text>.</xsl:text>
      </xsl:if>
      <xsl:if test="@error">
        <xsl:text> Error: </xsl:text>
        <xsl:call-template name="plain"><xsl:with-param name="text" select="@error"/></xsl:call-template>
      </xsl:if>
      <xsl:text>&#10;&#10;</xsl:text>
      <xsl:call-template name="table"/>
      <xsl:apply-templates select="declaration[lacking] | upgrade"/>
      <xsl:call-template name="broken"/>
      <xsl:call-template name="warnings"/>
      <xsl:call-template name="next"/>
    </xsl:for-each>
  </xsl:template>

  <xsl:template match="declaration">
    <xsl:text>### Declared, and not there&#10;&#10;</xsl:text>
    <xsl:for-each select="lacking">
      <xsl:text>- </xsl:text>
      <xsl:call-template name="plain"><xsl:with-param name="text" select="@expected"/></xsl:call-template>
      <xsl:text>; found: </xsl:text>
      <xsl:call-template name="plain"><xsl:with-param name="text" select="@found"/></xsl:call-template>
      <xsl:value-of select="concat(' (`', ../@file, ':', @line, '`)&#10;')"/>
    </xsl:for-each>
    <xsl:text>&#10;</xsl:text>
  </xsl:template>

  <!-- What begins to bind: what is kept in a line, the rest with the reason. -->
  <xsl:template match="upgrade">
    <xsl:value-of select="concat('### What begins to bind from WDDM ', @from, ' to ', @to, '&#10;&#10;')"/>
    <xsl:if test="begins[@state = 'kept']">
      <xsl:text>Kept already:</xsl:text>
      <xsl:for-each select="begins[@state = 'kept']">
        <xsl:value-of select="concat(substring(', ', 1, 2 * (position() &gt; 1)),
            substring(' ', 1, number(position() = 1)), @ref)"/>
      </xsl:for-each>
      <xsl:text>.&#10;&#10;</xsl:text>
    </xsl:if>
    <xsl:for-each select="begins[@state != 'kept']">
      <xsl:value-of select="concat('- ', @ref, ', since ', @since, ': **', @state, '**: ')"/>
      <xsl:call-template name="plain">
        <xsl:with-param name="text" select="key('statement', @ref)/text"/>
      </xsl:call-template>
      <xsl:text>&#10;  - </xsl:text>
      <xsl:call-template name="plain"><xsl:with-param name="text" select="why"/></xsl:call-template>
      <xsl:if test="replay">
        <xsl:value-of select="concat('&#10;  - reproduce: `', replay, '`')"/>
      </xsl:if>
      <xsl:text>&#10;</xsl:text>
    </xsl:for-each>
    <xsl:text>&#10;</xsl:text>
  </xsl:template>

  <!-- Warnings by statement. -->
  <xsl:template name="warnings">
    <xsl:if test="statement[@warn]">
      <xsl:text>&#10;### Warnings&#10;&#10;</xsl:text>
      <xsl:for-each select="statement[@warn]">
        <xsl:value-of select="concat('- ', @ref, ' (', @warn, '): ')"/>
        <xsl:call-template name="plain">
          <xsl:with-param name="text" select="key('statement', @ref)/text"/>
        </xsl:call-template>
        <xsl:call-template name="warning"/>
        <xsl:text>&#10;</xsl:text>
      </xsl:for-each>
    </xsl:if>
  </xsl:template>

  <!-- The source, and the smallest case of a statement's warnings, the first of equals. -->
  <xsl:template name="warning">
    <xsl:variable name="statement" select="key('statement', @ref)"/>
    <xsl:text>&#10;  - source: </xsl:text>
    <xsl:call-template name="plain">
      <xsl:with-param name="text" select="concat(key('document', $statement/@document)/@title, ', ',
          $statement/@where)"/>
    </xsl:call-template>
    <xsl:for-each select="case[@verdict = 'warn']">
      <xsl:sort select="@facts" data-type="number"/>
      <xsl:if test="position() = 1">
        <xsl:text>&#10;  - got: </xsl:text>
        <xsl:call-template name="plain"><xsl:with-param name="text" select="why"/></xsl:call-template>
        <xsl:value-of select="concat('&#10;  - reproduce: `', replay, '`')"/>
      </xsl:if>
    </xsl:for-each>
  </xsl:template>

  <!-- What makes skipped cases runnable. -->
  <xsl:template name="next">
    <xsl:if test="next">
      <xsl:text>&#10;To implement next, and what it makes runnable at least:&#10;&#10;</xsl:text>
      <xsl:for-each select="next">
        <xsl:text>- </xsl:text>
        <xsl:call-template name="plain"><xsl:with-param name="text" select="."/></xsl:call-template>
        <xsl:value-of select="concat(': +', @cases, ' case', substring('s', 1, @cases != 1), ', ',
            @statements, ' statement', substring('s', 1, @statements != 1))"/>
        <xsl:text>&#10;</xsl:text>
      </xsl:for-each>
    </xsl:if>
  </xsl:template>

  <!-- Cases by document and verdict; only verdicts that occur. -->
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
      <xsl:text> | </xsl:text>
      <xsl:choose>
        <xsl:when test="$own[@testable]">
          <xsl:value-of select="concat(count($own[@proven]), ' of ', count($own[@testable]))"/>
        </xsl:when>
        <xsl:otherwise>&#8211;</xsl:otherwise>
      </xsl:choose>
      <xsl:text> |</xsl:text>
      <xsl:for-each select="$verdicts">
        <xsl:if test="$total/@*[name() = current()/@name]">
          <xsl:value-of select="concat(' ', sum($own/@*[name() = current()/@name]), ' |')"/>
        </xsl:if>
      </xsl:for-each>
      <xsl:text>&#10;</xsl:text>
    </xsl:for-each>
    <xsl:text>| all | </xsl:text>
    <xsl:value-of select="concat(count(statement[@proven]), ' of ',
        count(statement[@testable]), ' |')"/>
    <xsl:for-each select="$verdicts">
      <xsl:if test="$total/@*[name() = current()/@name]">
        <xsl:value-of select="concat(' ', $total/@*[name() = current()/@name], ' |')"/>
      </xsl:if>
    </xsl:for-each>
    <xsl:text>&#10;&#10;</xsl:text>
  </xsl:template>

  <xsl:template name="broken">
    <xsl:variable name="bad" select="cause[key('verdict', @verdict)/@breaks]"/>
    <xsl:if test="$bad">
      <xsl:text>### What is broken&#10;&#10;</xsl:text>
      <xsl:for-each select="$bad[position() &lt;= $causes-max]">
        <xsl:call-template name="failure"/>
      </xsl:for-each>
      <xsl:if test="count($bad) &gt; $causes-max">
        <xsl:value-of select="concat('... and ', count($bad) - $causes-max, ' more.&#10;&#10;')"/>
      </xsl:if>
    </xsl:if>
  </xsl:template>

  <xsl:template name="heading">
    <xsl:variable name="id" select="@statement"/>
    <xsl:variable name="statement" select="key('statement', $id)"/>
    <xsl:choose>
      <xsl:when test="@death">
        <xsl:value-of select="concat('**', @verdict, '** (', @cases, ' cases of ', @statements,
            ' statements): ')"/>
        <xsl:call-template name="plain"><xsl:with-param name="text" select="why"/></xsl:call-template>
        <xsl:value-of select="concat('; first in ', @statement, ': ')"/>
      </xsl:when>
      <xsl:otherwise>
        <xsl:value-of select="concat('**', @statement, ' ', @verdict, '** (', $statement/@level, ', ',
            $statement/@basis, '; ', @cases, ' of ', ../statement[@ref = $id]/@count, ' cases): ')"/>
      </xsl:otherwise>
    </xsl:choose>
    <xsl:call-template name="plain"><xsl:with-param name="text" select="$statement/text"/></xsl:call-template>
    <xsl:text>&#10;&#10;</xsl:text>
  </xsl:template>

  <xsl:template name="failure">
    <xsl:variable name="statement" select="key('statement', @statement)"/>
    <xsl:variable name="smallest" select="@smallest"/>
    <xsl:variable name="cause" select="."/>
    <xsl:call-template name="heading"/>
    <xsl:for-each select="key('of-cause', concat(../@number, ' ', @number))[@id = $smallest]">
      <xsl:text>- got: </xsl:text>
      <xsl:call-template name="plain"><xsl:with-param name="text" select="why"/></xsl:call-template>
      <xsl:for-each select="str:split($cause/wrong, '&#10;')">
        <xsl:text>&#10;- wrong: </xsl:text>
        <xsl:call-template name="plain"><xsl:with-param name="text" select="."/></xsl:call-template>
      </xsl:for-each>
      <xsl:for-each select="$cause/pattern">
        <xsl:text>&#10;- pattern: </xsl:text>
        <xsl:call-template name="plain"><xsl:with-param name="text" select="."/></xsl:call-template>
      </xsl:for-each>
      <xsl:text>&#10;- source: </xsl:text>
      <xsl:call-template name="plain">
        <xsl:with-param name="text" select="concat(key('document', $statement/@document)/@title, ', ',
            $statement/@where)"/>
      </xsl:call-template>
      <xsl:text> (`</xsl:text>
      <xsl:value-of select="concat(key('rule', @rule)/@file, ':', key('rule', @rule)/@line)"/>
      <xsl:text>`)&#10;</xsl:text>
      <xsl:if test="$statement/quote">
        <xsl:text>- original (</xsl:text>
        <xsl:value-of select="key('document', $statement/@document)/@language"/>
        <xsl:text>): «</xsl:text>
        <xsl:call-template name="plain"><xsl:with-param name="text" select="$statement/quote"/></xsl:call-template>
        <xsl:text>»&#10;</xsl:text>
      </xsl:if>
      <xsl:for-each select="$statement/read-by">
        <xsl:text>- read by </xsl:text>
        <xsl:call-template name="plain"><xsl:with-param name="text" select="."/></xsl:call-template>
        <xsl:text>&#10;</xsl:text>
      </xsl:for-each>
      <xsl:if test="$cause/output">
        <xsl:text>- output:&#10;&#10;  ```text&#10;</xsl:text>
        <xsl:for-each select="str:split($cause/output, '&#10;')">
          <xsl:value-of select="concat('  ', translate(., '`', ''), '&#10;')"/>
        </xsl:for-each>
        <xsl:text>  ```&#10;&#10;</xsl:text>
      </xsl:if>
      <xsl:if test="$cause/backtrace">
        <xsl:text>- backtrace:&#10;&#10;  ```text&#10;</xsl:text>
        <xsl:for-each select="str:split($cause/backtrace, '&#10;')">
          <xsl:value-of select="concat('  ', translate(., '`', ''), '&#10;')"/>
        </xsl:for-each>
        <xsl:text>  ```&#10;&#10;</xsl:text>
      </xsl:if>
      <xsl:if test="order">
        <xsl:text>- order: </xsl:text>
        <xsl:call-template name="plain"><xsl:with-param name="text" select="order"/></xsl:call-template>
        <xsl:text>&#10;</xsl:text>
      </xsl:if>
      <xsl:text>- reproduce:&#10;&#10;  ```sh&#10;  </xsl:text>
      <xsl:value-of select="replay"/>
      <xsl:text>&#10;  ```&#10;&#10;</xsl:text>
    </xsl:for-each>
  </xsl:template>
</xsl:stylesheet>
