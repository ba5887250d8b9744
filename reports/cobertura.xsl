<?xml version="1.0" encoding="UTF-8"?>
<!-- SPDX-License-Identifier: MIT -->
<!-- Cobertura from the result XML, with the spec as the source: GitLab and Jenkins then show which
     rules were tested as they show which lines of a program ran. The line of a rule is covered when
     cases with a verdict kept it and broke it; the rule and each of its conditions are branches with
     two ways. Effects, layouts and answers, which calls cannot keep or break, are covered when a case
     reached a verdict about them. All runs count together. -->
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"
    xmlns:exsl="http://exslt.org/common" exclude-result-prefixes="exsl">
  <xsl:output method="xml" encoding="UTF-8" indent="yes"/>

  <xsl:key name="rule-of-run" match="/results/run/statement/rule" use="@ref"/>
  <xsl:key name="first-of-file" match="/results/spec/statement" use="@file"/>

  <!-- A <line> for each rule, with the summands of the totals. -->
  <xsl:variable name="lines">
    <xsl:for-each select="/results/spec/statement/rule">
      <xsl:variable name="runs" select="key('rule-of-run', @id)"/>
      <xsl:variable name="held" select="sum($runs/@held)"/>
      <xsl:variable name="broken" select="sum($runs/@broken)"/>
      <xsl:variable name="other" select="sum($runs/@other)"/>
      <xsl:variable name="both-ways" select="@asked and $runs/@breakable"/>
      <line file="{@file}" number="{@line}" statement="{../@id}">
        <xsl:choose>
          <xsl:when test="$both-ways">
            <xsl:attribute name="hits">
              <xsl:choose>
                <xsl:when test="$held &lt; $broken"><xsl:value-of select="$held"/></xsl:when>
                <xsl:otherwise><xsl:value-of select="$broken"/></xsl:otherwise>
              </xsl:choose>
            </xsl:attribute>
            <way seen="{($held &gt; 0) + ($broken &gt; 0)}" of="2"/>
            <xsl:for-each select="$runs[1]/condition">
              <xsl:variable name="at" select="position()"/>
              <xsl:variable name="same" select="$runs/condition[position() = $at]"/>
              <way seen="{(sum($same/@held) &gt; 0) + (sum($same/@broken) &gt; 0)}" of="2"/>
            </xsl:for-each>
          </xsl:when>
          <xsl:otherwise>
            <xsl:attribute name="hits"><xsl:value-of select="$held + $broken + $other"/></xsl:attribute>
          </xsl:otherwise>
        </xsl:choose>
      </line>
    </xsl:for-each>
  </xsl:variable>
  <xsl:variable name="all" select="exsl:node-set($lines)/line"/>

  <!-- The line-rate and branch-rate of some lines. -->
  <xsl:template name="rates">
    <xsl:param name="of"/>
    <xsl:attribute name="line-rate">
      <xsl:call-template name="rate">
        <xsl:with-param name="part" select="count($of[@hits &gt; 0])"/>
        <xsl:with-param name="whole" select="count($of)"/>
      </xsl:call-template>
    </xsl:attribute>
    <xsl:attribute name="branch-rate">
      <xsl:call-template name="rate">
        <xsl:with-param name="part" select="sum($of/way/@seen)"/>
        <xsl:with-param name="whole" select="sum($of/way/@of)"/>
      </xsl:call-template>
    </xsl:attribute>
    <xsl:attribute name="complexity">0</xsl:attribute>
  </xsl:template>

  <xsl:template name="rate">
    <xsl:param name="part"/>
    <xsl:param name="whole"/>
    <xsl:choose>
      <xsl:when test="$whole = 0">1.0000</xsl:when>
      <xsl:otherwise><xsl:value-of select="format-number($part div $whole, '0.0000')"/></xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <xsl:template match="/results">
    <xsl:variable name="started" select="run[1]/@started"/>
    <coverage>
      <xsl:call-template name="rates"><xsl:with-param name="of" select="$all"/></xsl:call-template>
      <xsl:attribute name="lines-covered"><xsl:value-of select="count($all[@hits &gt; 0])"/></xsl:attribute>
      <xsl:attribute name="lines-valid"><xsl:value-of select="count($all)"/></xsl:attribute>
      <xsl:attribute name="branches-covered"><xsl:value-of select="sum($all/way/@seen)"/></xsl:attribute>
      <xsl:attribute name="branches-valid"><xsl:value-of select="sum($all/way/@of)"/></xsl:attribute>
      <xsl:attribute name="version"><xsl:value-of select="@tool"/></xsl:attribute>
      <xsl:attribute name="timestamp"><xsl:value-of select="run[1]/@epoch"/></xsl:attribute>
      <sources><source><xsl:value-of select="spec/@directory"/></source></sources>
      <packages>
        <package name="spec">
          <xsl:call-template name="rates"><xsl:with-param name="of" select="$all"/></xsl:call-template>
          <classes>
            <xsl:for-each select="spec/statement[generate-id() =
                generate-id(key('first-of-file', @file)[1])]">
              <xsl:call-template name="class"/>
            </xsl:for-each>
          </classes>
        </package>
      </packages>
    </coverage>
  </xsl:template>

  <!-- A file of the spec; its statements are what methods are elsewhere. -->
  <xsl:template name="class">
    <xsl:variable name="file" select="@file"/>
    <xsl:variable name="own" select="$all[@file = $file]"/>
    <class filename="{$file}">
      <xsl:attribute name="name">
        <xsl:value-of select="/results/spec/document[@number = current()/@document]/@title"/>
      </xsl:attribute>
      <xsl:call-template name="rates"><xsl:with-param name="of" select="$own"/></xsl:call-template>
      <methods>
        <xsl:for-each select="key('first-of-file', $file)[rule]">
          <xsl:variable name="lines-of-it" select="$own[@statement = current()/@id]"/>
          <method name="{@id}" signature="">
            <xsl:call-template name="rates"><xsl:with-param name="of" select="$lines-of-it"/></xsl:call-template>
            <lines><xsl:apply-templates select="$lines-of-it"/></lines>
          </method>
        </xsl:for-each>
      </methods>
      <lines>
        <xsl:apply-templates select="$own">
          <xsl:sort select="@number" data-type="number"/>
        </xsl:apply-templates>
      </lines>
    </class>
  </xsl:template>

  <xsl:template match="line">
    <line number="{@number}" hits="{@hits}">
      <xsl:choose>
        <xsl:when test="way">
          <xsl:attribute name="branch">true</xsl:attribute>
          <xsl:attribute name="condition-coverage">
            <xsl:value-of select="concat(round(100 * sum(way/@seen) div sum(way/@of)), '% (',
                sum(way/@seen), '/', sum(way/@of), ')')"/>
          </xsl:attribute>
          <conditions>
            <xsl:for-each select="way">
              <condition number="{position() - 1}" type="jump"
                  coverage="{round(100 * @seen div @of)}%"/>
            </xsl:for-each>
          </conditions>
        </xsl:when>
        <xsl:otherwise><xsl:attribute name="branch">false</xsl:attribute></xsl:otherwise>
      </xsl:choose>
    </line>
  </xsl:template>
</xsl:stylesheet>
