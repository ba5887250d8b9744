<?xml version="1.0" encoding="UTF-8"?>
<!-- SPDX-License-Identifier: MIT -->
<!-- Documents whose rules are written as elements (requires, align, when, ...) in the language of docs/rules.md:

         xsltproc old-notation.xsl 100-mine.xml >100-mine-new.xml

     A gate gets the version at which its flag begins if the document has that flag. Goes with release 0.3. -->
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
  <xsl:output method="xml" encoding="UTF-8"/>

  <xsl:template match="@*|node()">
    <xsl:copy><xsl:apply-templates select="@*|node()"/></xsl:copy>
  </xsl:template>

  <!-- ==== rules, opens, gaps ==== -->

  <xsl:template match="rule[layout]">
    <rule><xsl:apply-templates select="@*[name() != 'outcome']|node()"/></rule>
  </xsl:template>

  <xsl:template match="rule[*[not(self::layout)]]">
    <xsl:variable name="form" select="*[not(self::when)]"/>
    <xsl:variable name="premise"><xsl:apply-templates select="$form" mode="premise"/></xsl:variable>
    <xsl:variable name="unless"><xsl:apply-templates select="$form" mode="unless"/></xsl:variable>
    <xsl:variable name="outcome">
      <xsl:choose>
        <xsl:when test="@outcome"><xsl:value-of select="@outcome"/></xsl:when>
        <xsl:when test="../@role = 'caller' and ../@level = 'must'">refuse</xsl:when>
        <xsl:otherwise>either</xsl:otherwise>
      </xsl:choose>
    </xsl:variable>
    <rule>
      <xsl:copy-of select="@*[name() != 'outcome']"/>
      <xsl:if test="when or $premise != ''">
        <xsl:attribute name="when">
          <xsl:apply-templates select="when" mode="condition"/>
          <xsl:if test="when and $premise != ''"> and </xsl:if>
          <xsl:value-of select="$premise"/>
        </xsl:attribute>
      </xsl:if>
      <xsl:attribute name="{$outcome}"><xsl:apply-templates select="$form" mode="breach"/></xsl:attribute>
      <xsl:if test="$unless != ''">
        <xsl:attribute name="unless"><xsl:value-of select="$unless"/></xsl:attribute>
      </xsl:if>
      <xsl:if test="gate and not(@until)">
        <xsl:variable name="flag">
          <xsl:call-template name="last"><xsl:with-param name="text" select="gate/@fact"/></xsl:call-template>
        </xsl:variable>
        <xsl:if test="//flag[@name = $flag]/@since">
          <xsl:attribute name="until"><xsl:value-of select="//flag[@name = $flag]/@since"/></xsl:attribute>
        </xsl:if>
      </xsl:if>
    </rule>
  </xsl:template>

  <xsl:template match="open[when]|gap[when]">
    <xsl:copy>
      <xsl:copy-of select="@*"/>
      <xsl:attribute name="when"><xsl:apply-templates select="when" mode="condition"/></xsl:attribute>
    </xsl:copy>
  </xsl:template>

  <!-- ==== facts ==== -->

  <!-- Behind the last dot. -->
  <xsl:template name="last">
    <xsl:param name="text"/>
    <xsl:choose>
      <xsl:when test="contains($text, '.')">
        <xsl:call-template name="last">
          <xsl:with-param name="text" select="substring-after($text, '.')"/>
        </xsl:call-template>
      </xsl:when>
      <xsl:otherwise><xsl:value-of select="$text"/></xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- A reference that is set, or clear: member.flag is true or false, a member is compared with 0. In front of a single dot is a
       structure if the text is in capitals, as the documents' are. -->
  <xsl:template name="fact">
    <xsl:param name="ref"/>
    <xsl:param name="clear" select="false()"/>
    <xsl:variable name="front" select="substring-before($ref, '.')"/>
    <xsl:variable name="rest" select="substring-after($ref, '.')"/>
    <xsl:variable name="member"
                  select="not(contains($ref, '.')) or (not(contains($rest, '.')) and
                          $front = translate($front, 'abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'))"/>
    <xsl:choose>
      <xsl:when test="$member and $clear"><xsl:value-of select="concat($ref, ' = 0')"/></xsl:when>
      <xsl:when test="$member"><xsl:value-of select="concat($ref, ' != 0')"/></xsl:when>
      <xsl:when test="$clear"><xsl:value-of select="concat('not ', $ref)"/></xsl:when>
      <xsl:otherwise><xsl:value-of select="$ref"/></xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <xsl:template name="facts">
    <xsl:param name="list"/>
    <xsl:param name="between"/>
    <xsl:param name="clear" select="false()"/>
    <xsl:param name="cut" select="''"/>
    <xsl:variable name="first" select="substring-before(concat(normalize-space($list), ' '), ' ')"/>
    <xsl:variable name="rest" select="substring-after(normalize-space($list), ' ')"/>
    <xsl:call-template name="fact">
      <xsl:with-param name="ref">
        <xsl:choose>
          <xsl:when test="$cut != '' and starts-with($first, $cut)">
            <xsl:value-of select="substring-after($first, $cut)"/>
          </xsl:when>
          <xsl:otherwise><xsl:value-of select="$first"/></xsl:otherwise>
        </xsl:choose>
      </xsl:with-param>
      <xsl:with-param name="clear" select="$clear"/>
    </xsl:call-template>
    <xsl:if test="$rest != ''">
      <xsl:value-of select="$between"/>
      <xsl:call-template name="facts">
        <xsl:with-param name="list" select="$rest"/>
        <xsl:with-param name="between" select="$between"/>
        <xsl:with-param name="clear" select="$clear"/>
        <xsl:with-param name="cut" select="$cut"/>
      </xsl:call-template>
    </xsl:if>
  </xsl:template>

  <!-- quantifier(STRUCTURE in set, flag or flag). -->
  <xsl:template name="segments">
    <xsl:param name="quantifier"/>
    <xsl:param name="set"/>
    <xsl:param name="flags"/>
    <xsl:variable name="structure" select="substring-before(normalize-space($flags), '.')"/>
    <xsl:value-of select="concat($quantifier, '(', $structure, ' in ', $set, ', ')"/>
    <xsl:call-template name="facts">
      <xsl:with-param name="list" select="$flags"/>
      <xsl:with-param name="between" select="' or '"/>
      <xsl:with-param name="cut" select="concat($structure, '.')"/>
    </xsl:call-template>
    <xsl:text>)</xsl:text>
  </xsl:template>

  <!-- ==== conditions ==== -->

  <xsl:template match="when" mode="condition">
    <xsl:variable name="of" select="@fact|@member"/>
    <xsl:if test="position() > 1"> and </xsl:if>
    <xsl:choose>
      <xsl:when test="@is = 'set' or @is = 'clear'">
        <xsl:call-template name="fact">
          <xsl:with-param name="ref" select="$of"/>
          <xsl:with-param name="clear" select="@is = 'clear'"/>
        </xsl:call-template>
      </xsl:when>
      <xsl:when test="@is = 'zero'"><xsl:value-of select="concat($of, ' = 0')"/></xsl:when>
      <xsl:when test="@is = 'nonzero'"><xsl:value-of select="concat($of, ' != 0')"/></xsl:when>
    </xsl:choose>
    <xsl:for-each select="@less|@equals|@differs">
      <xsl:if test="position() > 1 or ../@is"> and </xsl:if>
      <xsl:value-of select="$of"/>
      <xsl:choose>
        <xsl:when test="name() = 'less'"> &lt; </xsl:when>
        <xsl:when test="name() = 'equals'"> = </xsl:when>
        <xsl:otherwise> != </xsl:otherwise>
      </xsl:choose>
      <xsl:value-of select="."/>
    </xsl:for-each>
    <xsl:for-each select="@segment|@no-segment">
      <xsl:if test="position() > 1 or ../@is or ../@less or ../@equals or ../@differs"> and </xsl:if>
      <xsl:if test="name() = 'no-segment'">not </xsl:if>
      <xsl:if test="../@or">(</xsl:if>
      <xsl:call-template name="segments">
        <xsl:with-param name="quantifier" select="'some'"/>
        <xsl:with-param name="set" select="$of"/>
        <xsl:with-param name="flags" select="."/>
      </xsl:call-template>
      <xsl:if test="../@or">
        <xsl:text> or </xsl:text>
        <xsl:call-template name="segments">
          <xsl:with-param name="quantifier" select="'some'"/>
          <xsl:with-param name="set" select="../@or"/>
          <xsl:with-param name="flags" select="."/>
        </xsl:call-template>
        <xsl:text>)</xsl:text>
      </xsl:if>
    </xsl:for-each>
  </xsl:template>

  <!-- ==== forms ==== -->

  <xsl:template match="*" mode="premise"/>
  <xsl:template match="excludes|exclusive" mode="premise">
    <xsl:call-template name="fact"><xsl:with-param name="ref" select="@fact"/></xsl:call-template>
  </xsl:template>
  <xsl:template match="count" mode="premise">
    <xsl:call-template name="number"/> > 0</xsl:template>

  <xsl:template match="*" mode="unless"/>
  <xsl:template match="requires" mode="unless">
    <xsl:variable name="group" select="@all and contains(normalize-space(@any), ' ')"/>
    <xsl:if test="$group">(</xsl:if>
    <xsl:if test="@any">
      <xsl:call-template name="facts">
        <xsl:with-param name="list" select="@any"/>
        <xsl:with-param name="between" select="' or '"/>
      </xsl:call-template>
    </xsl:if>
    <xsl:if test="$group">)</xsl:if>
    <xsl:if test="@any and @all"> and </xsl:if>
    <xsl:if test="@all">
      <xsl:call-template name="facts">
        <xsl:with-param name="list" select="@all"/>
        <xsl:with-param name="between" select="' and '"/>
      </xsl:call-template>
    </xsl:if>
  </xsl:template>
  <xsl:template match="subset" mode="unless"><xsl:value-of select="concat(@member, ' in ', @of)"/></xsl:template>
  <xsl:template match="segments" mode="unless">
    <xsl:if test="@any">
      <xsl:call-template name="segments">
        <xsl:with-param name="quantifier" select="'each'"/>
        <xsl:with-param name="set" select="@member"/>
        <xsl:with-param name="flags" select="@any"/>
      </xsl:call-template>
    </xsl:if>
    <xsl:if test="@any and @with"> and </xsl:if>
    <xsl:if test="@with">
      <xsl:text>not </xsl:text>
      <xsl:call-template name="segments">
        <xsl:with-param name="quantifier" select="'some'"/>
        <xsl:with-param name="set" select="@member"/>
        <xsl:with-param name="flags" select="@with"/>
      </xsl:call-template>
    </xsl:if>
  </xsl:template>

  <!-- count(STRUCTURE, flag): of the rule's structure, or of another. -->
  <xsl:template name="number">
    <xsl:variable name="other" select="contains(substring-after(@fact, '.'), '.')"/>
    <xsl:choose>
      <xsl:when test="$other">
        <xsl:value-of select="concat('count(', substring-before(@fact, '.'), ', ', substring-after(@fact, '.'), ')')"/>
      </xsl:when>
      <xsl:otherwise><xsl:value-of select="concat('count(', ../@on, ', ', @fact, ')')"/></xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <xsl:template match="requires|reserved|gate" mode="breach">
    <xsl:call-template name="fact"><xsl:with-param name="ref" select="@fact"/></xsl:call-template>
  </xsl:template>
  <xsl:template match="excludes" mode="breach">
    <xsl:call-template name="facts">
      <xsl:with-param name="list" select="@with"/>
      <xsl:with-param name="between" select="' or '"/>
    </xsl:call-template>
  </xsl:template>
  <xsl:template match="at-least-one" mode="breach">
    <xsl:call-template name="facts">
      <xsl:with-param name="list" select="@any"/>
      <xsl:with-param name="between" select="' and '"/>
      <xsl:with-param name="clear" select="true()"/>
    </xsl:call-template>
  </xsl:template>
  <xsl:template match="exactly-one" mode="breach">
    <xsl:text>not exactly_one(</xsl:text>
    <xsl:call-template name="facts">
      <xsl:with-param name="list" select="@any"/>
      <xsl:with-param name="between" select="', '"/>
    </xsl:call-template>
    <xsl:text>)</xsl:text>
  </xsl:template>
  <xsl:template match="exclusive" mode="breach"><xsl:value-of select="concat('others(', @fact, ')')"/></xsl:template>
  <xsl:template match="undefined" mode="breach"><xsl:value-of select="concat('undefined(', @member, ')')"/></xsl:template>
  <xsl:template match="align|multiple" mode="breach"><xsl:value-of select="concat(@member, ' mod ', @to, ' != 0')"/></xsl:template>
  <xsl:template match="range" mode="breach">
    <xsl:if test="@min"><xsl:value-of select="concat(@member, ' &lt; ', @min)"/></xsl:if>
    <xsl:if test="@min and @max"> or </xsl:if>
    <xsl:if test="@max"><xsl:value-of select="concat(@member, ' > ', @max)"/></xsl:if>
  </xsl:template>
  <xsl:template match="no-wrap" mode="breach"><xsl:value-of select="concat('wraps(', @base, ', ', @size, ')')"/></xsl:template>
  <xsl:template match="fits" mode="breach">
    <xsl:value-of select="concat(@offset, ' + ')"/>
    <xsl:choose>
      <xsl:when test="@or"><xsl:value-of select="concat('default(', @size, ', ', @or, ')')"/></xsl:when>
      <xsl:otherwise><xsl:value-of select="@size"/></xsl:otherwise>
    </xsl:choose>
    <xsl:value-of select="concat(' > size(', @within, ')')"/>
  </xsl:template>
  <xsl:template match="nonzero" mode="breach"><xsl:value-of select="concat(@member, ' = 0')"/></xsl:template>
  <xsl:template match="zero|subset|segments" mode="breach"><xsl:value-of select="concat(@member, ' != 0')"/></xsl:template>
  <xsl:template match="handle" mode="breach">
    <xsl:value-of select="concat('not live(', @member, ', ', translate(@kind, '-', '_'), ')')"/>
    <xsl:call-template name="made">
      <xsl:with-param name="list" select="@with"/>
      <xsl:with-param name="handle" select="@member"/>
    </xsl:call-template>
  </xsl:template>
  <xsl:template name="made">
    <xsl:param name="list"/>
    <xsl:param name="handle"/>
    <xsl:variable name="first" select="substring-before(concat(normalize-space($list), ' '), ' ')"/>
    <xsl:if test="$first != ''">
      <xsl:value-of select="concat(' or not ', $handle, '/', $first)"/>
      <xsl:call-template name="made">
        <xsl:with-param name="list" select="substring-after(normalize-space($list), ' ')"/>
        <xsl:with-param name="handle" select="$handle"/>
      </xsl:call-template>
    </xsl:if>
  </xsl:template>
  <xsl:template match="count" mode="breach">
    <xsl:call-template name="number"/> > <xsl:value-of select="@max"/></xsl:template>
  <xsl:template match="pages" mode="breach">
    <xsl:call-template name="states"><xsl:with-param name="list" select="@not"/></xsl:call-template>
  </xsl:template>
  <xsl:template name="states">
    <xsl:param name="list"/>
    <xsl:variable name="rest" select="substring-after(normalize-space($list), ' ')"/>
    <xsl:value-of select="concat(substring-before(concat(normalize-space($list), ' '), ' '), ' in pages(', @base, ', ', @size, ')')"/>
    <xsl:if test="$rest != ''">
      <xsl:text> or </xsl:text>
      <xsl:call-template name="states"><xsl:with-param name="list" select="$rest"/></xsl:call-template>
    </xsl:if>
  </xsl:template>
  <xsl:template match="reservation" mode="breach">
    <xsl:value-of select="concat('not reservation(', @base, ', ', @size, ', ', translate(@kind, '-', '_'), ')')"/>
  </xsl:template>
  <xsl:template match="one-reservation" mode="breach">
    <xsl:text>not one_reservation(</xsl:text>
    <xsl:for-each select="range">
      <xsl:if test="position() > 1">, </xsl:if>
      <xsl:choose>
        <xsl:when test="@unreserved">reserved(</xsl:when>
        <xsl:otherwise>range(</xsl:otherwise>
      </xsl:choose>
      <xsl:value-of select="concat(@base, ', ', @size, ')')"/>
    </xsl:for-each>
    <xsl:text>)</xsl:text>
  </xsl:template>
  <xsl:template match="distinct" mode="breach"><xsl:value-of select="concat('repeats(', @member, ')')"/></xsl:template>
  <xsl:template match="banks" mode="breach"><xsl:value-of select="concat('not contiguous(', @member, ', ', @within, ')')"/></xsl:template>
</xsl:stylesheet>
