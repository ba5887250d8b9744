<?xml version="1.0" encoding="UTF-8"?>
<!-- SPDX-License-Identifier: MIT -->
<!-- Cases in the old notation, put into the new one: members become attributes of the element that has their structure, the first
     structure those of its step or call, the effects an attribute of their scenario. Ships for one release. -->
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
  <xsl:output encoding="UTF-8"/>
  <xsl:strip-space elements="step call struct answer"/>

  <xsl:template match="node()">
    <xsl:copy>
      <xsl:copy-of select="@*"/>
      <xsl:apply-templates select="struct[not(@at)]/set | set" mode="attribute"/>
      <xsl:apply-templates/>
    </xsl:copy>
  </xsl:template>

  <xsl:template match="set" mode="attribute">
    <xsl:attribute name="{@member}"><xsl:value-of select="@to"/></xsl:attribute>
  </xsl:template>

  <xsl:template match="scenario">
    <xsl:copy>
      <xsl:copy-of select="@*"/>
      <xsl:attribute name="expect">
        <xsl:for-each select="expect">
          <xsl:if test="position() > 1"><xsl:text> </xsl:text></xsl:if>
          <xsl:value-of select="@effect"/>
        </xsl:for-each>
      </xsl:attribute>
      <xsl:apply-templates/>
    </xsl:copy>
  </xsl:template>

  <xsl:template match="set | expect | struct[not(@at)]"/>
</xsl:stylesheet>
