<?xml version="1.0" encoding="UTF-8"?>
<!-- SPDX-License-Identifier: MIT -->
<!-- spec/interface.xml to build/binding.inc: one row for each structure, member and message, for
     binding.c. A name that include/wddm-cts.h does not have then fails to compile. -->
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
  <xsl:output method="text" encoding="UTF-8"/>
  <xsl:key name="structure" match="structure" use="@name"/>

  <xsl:template match="/">
    <xsl:text>/* Generated from interface.xml by binding.xsl. */&#10;</xsl:text>
    <xsl:text>#ifdef WCTS_BIND_STRUCT&#10;</xsl:text>
    <xsl:apply-templates select="//structure"/>
    <xsl:text>#endif&#10;#ifdef WCTS_BIND&#10;</xsl:text>
    <xsl:apply-templates select="//structure/member"/>
    <xsl:text>#endif&#10;#ifdef WCTS_BIND_MESSAGE&#10;</xsl:text>
    <xsl:apply-templates select="//message"/>
    <xsl:text>#endif&#10;</xsl:text>
  </xsl:template>

  <xsl:template match="structure">
    <xsl:value-of select="concat('WCTS_BIND_STRUCT(&quot;', @name, '&quot;, ', @struct, ')&#10;')"/>
  </xsl:template>

  <xsl:template match="member">
    <xsl:value-of select="concat('WCTS_BIND(&quot;', ../@name, '&quot;, &quot;', @name, '&quot;, ', ../@struct, ', ', @field, ')&#10;')"/>
  </xsl:template>

  <xsl:template match="message">
    <xsl:value-of select="concat('WCTS_BIND_MESSAGE(', @operation, ', ')"/>
    <xsl:call-template name="half">
      <xsl:with-param name="half">request</xsl:with-param>
      <xsl:with-param name="structure" select="@request"/>
      <xsl:with-param name="field" select="@request-field"/>
    </xsl:call-template>
    <xsl:text>, </xsl:text>
    <xsl:call-template name="half">
      <xsl:with-param name="half">reply</xsl:with-param>
      <xsl:with-param name="structure" select="@reply"/>
      <xsl:with-param name="field" select="@reply-field"/>
    </xsl:call-template>
    <xsl:text>)&#10;</xsl:text>
  </xsl:template>

  <!-- A request or a reply: nothing in it, all of it, or a field of it is the structure. -->
  <xsl:template name="half">
    <xsl:param name="half"/>
    <xsl:param name="structure"/>
    <xsl:param name="field"/>
    <xsl:variable name="struct" select="key('structure', $structure)/@struct"/>
    <xsl:choose>
      <xsl:when test="not($structure)">WCTS_BIND_NONE</xsl:when>
      <xsl:when test="$field">
        <xsl:value-of select="concat('WCTS_BIND_FIELD(', $half, ', ', @operation, ', ', $struct, ', ', $field, ')')"/>
      </xsl:when>
      <xsl:otherwise>
        <xsl:value-of select="concat('WCTS_BIND_WHOLE(', $half, ', ', @operation, ', ', $struct, ')')"/>
      </xsl:otherwise>
    </xsl:choose>
  </xsl:template>
</xsl:stylesheet>
