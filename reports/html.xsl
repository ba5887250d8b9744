<?xml version="1.0" encoding="UTF-8"?>
<!-- SPDX-License-Identifier: MIT -->
<!-- One HTML file from the result XML (results.rng): broken statements first, then all
     statements. It needs no other file and no script; report.js only adds filters and copying. -->
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"
    xmlns:exsl="http://exslt.org/common" xmlns:str="http://exslt.org/strings"
    exclude-result-prefixes="exsl str">
  <xsl:output method="html" encoding="UTF-8" indent="no" doctype-system="about:legacy-compat"/>

  <xsl:param name="style"/>
  <xsl:param name="script"/>

  <!-- How many cases and exchanges of a statement are shown. -->
  <xsl:variable name="cases-max" select="20"/>
  <xsl:variable name="exchanges-max" select="2"/>
  <!-- How many broken statements are open at first. -->
  <xsl:variable name="open-max" select="8"/>

  <xsl:key name="verdict" match="/results/verdicts/verdict" use="@name"/>
  <xsl:key name="statement" match="/results/spec/statement" use="@id"/>
  <xsl:key name="document" match="/results/spec/document" use="@number"/>
  <xsl:key name="rule" match="/results/spec/statement/rule" use="@id"/>
  <xsl:key name="word" match="/results/spec/word" use="@name"/>
  <xsl:key name="of-run" match="/results/run/statement" use="concat(../@number, ' ', @ref)"/>
  <xsl:key name="of-cause" match="/results/run/statement/case[@cause]"
      use="concat(../../@number, ' ', @cause)"/>
  <xsl:key name="rule-of-run" match="/results/run/statement/rule"
      use="concat(../../@number, ' ', @ref)"/>

  <xsl:variable name="results" select="/results"/>
  <xsl:variable name="several" select="count(/results/run) &gt; 1"/>
  <xsl:variable name="breaking" select="/results/verdicts/verdict[@breaks]/@name"/>

  <!-- ==== words ==== -->

  <xsl:variable name="languages">
    <l id="de">German</l><l id="en">English</l><l id="es">Spanish</l><l id="fr">French</l>
    <l id="it">Italian</l><l id="ja">Japanese</l><l id="ko">Korean</l><l id="pl">Polish</l>
    <l id="pt">Portuguese</l><l id="ru">Russian</l><l id="zh">Chinese</l>
  </xsl:variable>

  <!-- The meaning of verdicts that need an explanation. -->
  <xsl:variable name="meanings">
    <v id="fail">the implementation broke a statement</v>
    <v id="crash">it stopped, or broke the message protocol, during the call</v>
    <v id="timeout">it did not answer in time</v>
    <v id="broken">the set-up of the case failed; this shows nothing about the implementation</v>
    <v id="declined">a valid call was refused, so the case could not be tested</v>
    <v id="flaky">attempts had different results</v>
    <v id="warn">a statement was broken that does not bind at this level</v>
    <v id="deviates">a statement was broken exactly as the profile declares</v>
    <v id="pass">evidence that the statement is kept</v>
    <v id="skip">no evidence, for the reason that is given</v>
    <v id="waived">a known failure, excused by a baseline</v>
    <v id="fixed">a baseline excuses it, but it no longer fails</v>
  </xsl:variable>

  <xsl:template name="plural">
    <xsl:param name="count"/>
    <xsl:param name="noun"/>
    <xsl:value-of select="$count"/>
    <xsl:text> </xsl:text>
    <xsl:value-of select="$noun"/>
    <xsl:if test="$count != 1">s</xsl:if>
  </xsl:template>

  <xsl:template name="language">
    <xsl:variable name="code" select="@language"/>
    <xsl:variable name="name" select="exsl:node-set($languages)/l[@id = $code]"/>
    <xsl:choose>
      <xsl:when test="$name"><xsl:value-of select="$name"/></xsl:when>
      <xsl:otherwise><xsl:value-of select="$code"/></xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- The document's own words, with their language for browsers. -->
  <xsl:template name="quote">
    <xsl:if test="quote">
      <blockquote lang="{key('document', @document)/@language}">
        <xsl:value-of select="concat('«', quote, '»')"/>
      </blockquote>
    </xsl:if>
  </xsl:template>

  <xsl:template name="badge">
    <xsl:param name="verdict"/>
    <span class="badge v-{$verdict}"><xsl:value-of select="translate($verdict, '-', ' ')"/></span>
  </xsl:template>

  <!-- The worst verdict of a statement in a run, or why there is none. -->
  <xsl:template name="state">
    <xsl:choose>
      <xsl:when test="@proven">pass</xsl:when>
      <xsl:when test="hidden and @pass and key('verdict', @verdict)/@rank &lt;= 2">in part</xsl:when>
      <xsl:when test="@verdict"><xsl:value-of select="@verdict"/></xsl:when>
      <xsl:when test="key('statement', @ref)/@status = 'not-testable'">not testable</xsl:when>
      <xsl:when test="not(@testable)">other side</xsl:when>
      <xsl:otherwise>not run</xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <xsl:template name="run-name">
    <xsl:choose>
      <xsl:when test="@name != ''">
        <xsl:value-of select="concat(@name, ' ', @version)"/>
      </xsl:when>
      <xsl:otherwise><xsl:value-of select="@path"/></xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- The words before the scope in the last line of the run. -->
  <xsl:template name="conclusion">
    <xsl:value-of select="substring-before(concat(@headline, ':'), ':')"/>
  </xsl:template>

  <xsl:template name="conclusion-class">
    <xsl:choose>
      <xsl:when test="@end != 'done'">warn</xsl:when>
      <xsl:when test="@exit-code = 0">pass</xsl:when>
      <xsl:when test="@exit-code = 1">fail</xsl:when>
      <xsl:otherwise>warn</xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- ==== the page ==== -->

  <xsl:template match="/results">
    <html lang="en">
      <head>
        <meta charset="UTF-8"/>
        <meta name="viewport" content="width=device-width, initial-scale=1"/>
        <meta name="color-scheme" content="light dark"/>
        <meta http-equiv="Content-Security-Policy"
            content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"/>
        <link rel="icon" href="data:,"/>
        <title><xsl:call-template name="title"/></title>
        <style><xsl:value-of select="$style" disable-output-escaping="yes"/></style>
      </head>
      <body>
        <header class="top">
          <p class="kicker">wddm-cts <xsl:value-of select="@tool"/>: conformance to the memory interfaces of WDDM</p>
          <xsl:choose>
            <xsl:when test="$several">
              <h1><xsl:call-template name="title"/></h1>
              <xsl:apply-templates select="run" mode="card"/>
            </xsl:when>
            <xsl:otherwise>
              <xsl:apply-templates select="run" mode="head"/>
            </xsl:otherwise>
          </xsl:choose>
        </header>
        <xsl:call-template name="contents"/>
        <main>
          <xsl:apply-templates select="run/declaration[lacking] | run/upgrade"/>
          <xsl:apply-templates select="run" mode="broken"/>
          <xsl:if test="$several"><xsl:call-template name="side-by-side"/></xsl:if>
          <xsl:call-template name="overview"/>
          <xsl:call-template name="statements"/>
          <xsl:call-template name="pairs"/>
          <xsl:call-template name="runs"/>
          <xsl:call-template name="reading"/>
        </main>
        <script><xsl:value-of select="$script" disable-output-escaping="yes"/></script>
      </body>
    </html>
  </xsl:template>

  <xsl:template name="title">
    <xsl:choose>
      <xsl:when test="$several"><xsl:value-of select="count(run)"/> runs side by side</xsl:when>
      <xsl:otherwise>
        <xsl:for-each select="run">
          <xsl:call-template name="run-name"/>
          <xsl:text> </xsl:text>
          <xsl:call-template name="conclusion"/>
        </xsl:for-each>
      </xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <xsl:template name="contents">
    <nav aria-label="Contents">
      <xsl:for-each select="run/declaration[lacking][1]">
        <a href="#declared-{../@number}">Declared, and not there</a>
      </xsl:for-each>
      <xsl:for-each select="run/upgrade[1]">
        <a href="#upgrade-{../@number}">What begins to bind</a>
      </xsl:for-each>
      <a href="#broken-1">What is broken</a>
      <xsl:if test="$several"><a href="#side-by-side">Side by side</a></xsl:if>
      <a href="#overview">Overview</a>
      <a href="#statements">All statements</a>
      <a href="#pairs">Pairs of flags</a>
      <a href="#runs"><xsl:choose><xsl:when test="$several">The runs</xsl:when>
        <xsl:otherwise>The run</xsl:otherwise></xsl:choose></a>
      <a href="#reading">How to read this</a>
    </nav>
  </xsl:template>

  <!-- ==== the head: the result of the run in one sentence ==== -->

  <!-- "2 statements" and what is said of one or more; nothing of none. -->
  <xsl:template name="also">
    <xsl:param name="of"/>
    <xsl:param name="one"/>
    <xsl:param name="more" select="$one"/>
    <xsl:param name="before"/>
    <xsl:if test="$of">
      <xsl:value-of select="$before"/>
      <xsl:call-template name="plural">
        <xsl:with-param name="count" select="count($of)"/>
        <xsl:with-param name="noun" select="'statement'"/>
      </xsl:call-template>
      <xsl:choose>
        <xsl:when test="count($of) = 1"><xsl:value-of select="$one"/></xsl:when>
        <xsl:otherwise><xsl:value-of select="$more"/></xsl:otherwise>
      </xsl:choose>
    </xsl:if>
  </xsl:template>

  <xsl:template name="sentence">
    <xsl:variable name="bad" select="statement[key('verdict', @verdict)/@breaks]"/>
    <xsl:variable name="cases" select="sum(total/@*[name() = $breaking])"/>
    <xsl:variable name="advice" select="statement[@warn and not(key('verdict', @verdict)/@breaks)]"/>
    <xsl:variable name="flaky" select="statement[not(key('verdict', @verdict)/@breaks) and @flaky]"/>
    <xsl:variable name="untested" select="statement[not(key('verdict', @verdict)/@breaks) and
        (@declined or @broken)]"/>
    <xsl:choose>
      <xsl:when test="$bad">
        <strong><xsl:call-template name="plural">
          <xsl:with-param name="count" select="count($bad)"/>
          <xsl:with-param name="noun" select="'statement'"/>
        </xsl:call-template> of the documents
        <xsl:choose><xsl:when test="count($bad) = 1">is</xsl:when>
        <xsl:otherwise>are</xsl:otherwise></xsl:choose> broken</strong>
        <xsl:text>: </xsl:text>
        <xsl:value-of select="concat($cases, ' of ', total/@count, ' cases failed. ')"/>
      </xsl:when>
      <xsl:otherwise>
        <xsl:text>No </xsl:text>
        <xsl:if test="$advice">binding </xsl:if>
        <xsl:text>statement of the documents was seen broken in </xsl:text>
        <xsl:call-template name="plural">
          <xsl:with-param name="count" select="total/@count"/>
          <xsl:with-param name="noun" select="'case'"/>
        </xsl:call-template>
        <xsl:text>. </xsl:text>
      </xsl:otherwise>
    </xsl:choose>
    <xsl:call-template name="also">
      <xsl:with-param name="of" select="$advice"/>
      <xsl:with-param name="one" select="' that does not bind at this level was broken. '"/>
      <xsl:with-param name="more" select="' that do not bind at this level were broken. '"/>
    </xsl:call-template>
    <xsl:value-of select="count(statement[@proven])"/>
    <xsl:text> of </xsl:text>
    <xsl:value-of select="count(statement[@testable])"/>
    <xsl:text> testable statements are proven</xsl:text>
    <xsl:if test="@in-scope">
      <xsl:value-of select="concat(', ', @tested, ' of ', @in-scope, ' in scope were tested')"/>
      <xsl:if test="@in-part != 0">
        <xsl:value-of select="concat(', ', @in-part, ' of these in part')"/>
      </xsl:if>
    </xsl:if>
    <xsl:text>.</xsl:text>
    <xsl:call-template name="also">
      <xsl:with-param name="of" select="$flaky"/>
      <xsl:with-param name="one" select="' had different results in different attempts.'"/>
      <xsl:with-param name="before" select="' '"/>
    </xsl:call-template>
    <xsl:call-template name="also">
      <xsl:with-param name="of" select="$untested"/>
      <xsl:with-param name="one" select="' could not be tested in all cases.'"/>
      <xsl:with-param name="before" select="' '"/>
    </xsl:call-template>
    <xsl:if test="total/@waived">
      <xsl:text> </xsl:text>
      <xsl:call-template name="plural">
        <xsl:with-param name="count" select="total/@waived"/>
        <xsl:with-param name="noun" select="'failure'"/>
      </xsl:call-template>
      <xsl:text> that are known were waived.</xsl:text>
    </xsl:if>
    <xsl:if test="@reached != @selected">
      <xsl:text> </xsl:text>
      <strong>Only <xsl:value-of select="@reached"/> of
      <xsl:value-of select="@selected"/> cases were reached.</strong>
    </xsl:if>
    <xsl:if test="@error"> Error: <xsl:value-of select="@error"/>.</xsl:if>
  </xsl:template>

  <xsl:template name="facts">
    <p class="facts">
      <code><xsl:value-of select="@path"/><xsl:if test="@options != ''">,<xsl:value-of
        select="@options"/></xsl:if></code>
      <span><xsl:value-of select="@sides"/></span>
      <span>level <xsl:value-of select="@level"/></span>
      <span>WDDM <xsl:value-of select="@first"/> to <xsl:value-of select="@last"/></span>
      <span>suite <xsl:value-of select="@suite"/></span>
      <time><xsl:value-of select="@started"/></time>
      <span><xsl:value-of select="format-number(@seconds, '0.0')"/> s</span>
    </p>
  </xsl:template>

  <xsl:template match="run" mode="head">
    <xsl:variable name="class"><xsl:call-template name="conclusion-class"/></xsl:variable>
    <h1 class="c-{$class}">
      <xsl:call-template name="run-name"/>
      <xsl:text> </xsl:text>
      <em><xsl:call-template name="conclusion"/></em>
    </h1>
    <p class="headline"><xsl:value-of select="@headline"/></p>
    <p class="lead"><xsl:call-template name="sentence"/></p>
    <xsl:call-template name="brief"/>
    <xsl:call-template name="verdict-bar"/>
    <xsl:call-template name="facts"/>
  </xsl:template>

  <!-- A line for each way in which a statement is broken. -->
  <xsl:template name="brief">
    <xsl:variable name="bad" select="cause[key('verdict', @verdict)/@breaks]"/>
    <xsl:if test="$bad">
      <ul class="brief">
        <xsl:for-each select="$bad">
          <xsl:if test="position() &lt;= $open-max">
            <xsl:variable name="one" select="@statement"/>
            <li><a href="#f{../@number}-{@anchor}">
                <xsl:choose>
                  <xsl:when test="@death"><xsl:value-of select="@anchor"/></xsl:when>
                  <xsl:otherwise><xsl:value-of select="@statement"/></xsl:otherwise>
                </xsl:choose></a><xsl:text> </xsl:text>
              <xsl:call-template name="cause-title"/>
              <!-- One statement may be broken in several ways. -->
              <xsl:if test="not(@death) and count($bad[@statement = $one]) &gt; 1">
                <xsl:value-of select="concat(' Here: ', why)"/>
              </xsl:if></li>
          </xsl:if>
        </xsl:for-each>
        <xsl:if test="count($bad) &gt; $open-max">
          <li><a href="#broken-{@number}"><xsl:value-of
            select="concat('and ', count($bad) - $open-max, ' more')"/></a></li>
        </xsl:if>
      </ul>
    </xsl:if>
  </xsl:template>

  <!-- The title of a cause: the broken sentence, or how the implementation died. -->
  <xsl:template name="cause-title">
    <xsl:choose>
      <xsl:when test="@death"><xsl:value-of select="why"/></xsl:when>
      <xsl:otherwise><xsl:value-of select="key('statement', @statement)/text"/></xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <xsl:template match="run" mode="card">
    <xsl:variable name="class"><xsl:call-template name="conclusion-class"/></xsl:variable>
    <section class="card">
      <h2 class="c-{$class}">
        <xsl:value-of select="concat(@number, '. ')"/>
        <xsl:call-template name="run-name"/>
        <xsl:text> </xsl:text>
        <em><xsl:call-template name="conclusion"/></em>
      </h2>
      <p class="headline"><xsl:value-of select="@headline"/></p>
      <p class="lead"><xsl:call-template name="sentence"/></p>
      <xsl:call-template name="verdict-bar"/>
      <xsl:call-template name="facts"/>
    </section>
  </xsl:template>

  <!-- ==== bars ==== -->

  <!-- parts: <p class label count/>, drawn as shares of their sum and listed. -->
  <xsl:template name="bar">
    <xsl:param name="parts"/>
    <xsl:param name="of"/>
    <xsl:variable name="given" select="exsl:node-set($parts)/p[@count &gt; 0]"/>
    <xsl:variable name="least" select="sum($given/@count) * 0.006"/>
    <!-- One of six thousand must be visible, too. -->
    <xsl:variable name="widths">
      <xsl:for-each select="$given">
        <p class="{@class}" label="{@label}" count="{@count}">
          <xsl:attribute name="width">
            <xsl:choose>
              <xsl:when test="@count &lt; $least"><xsl:value-of select="$least"/></xsl:when>
              <xsl:otherwise><xsl:value-of select="@count"/></xsl:otherwise>
            </xsl:choose>
          </xsl:attribute>
        </p>
      </xsl:for-each>
    </xsl:variable>
    <xsl:variable name="list" select="exsl:node-set($widths)/p"/>
    <xsl:variable name="all" select="sum($list/@width)"/>
    <xsl:if test="$all &gt; 0">
      <svg class="bar" viewBox="0 0 1000 14" preserveAspectRatio="none" role="img">
        <xsl:attribute name="aria-label">
          <xsl:value-of select="concat($of, ':')"/>
          <xsl:for-each select="$list">
            <xsl:value-of select="concat(' ', @count, ' ', @label)"/>
            <xsl:if test="position() != last()">,</xsl:if>
          </xsl:for-each>
        </xsl:attribute>
        <xsl:for-each select="$list">
          <rect class="f-{@class}" y="0" height="14"
              x="{format-number(sum(preceding-sibling::p/@width) * 1000 div $all, '0.0')}"
              width="{format-number(@width * 1000 div $all, '0.0')}"/>
        </xsl:for-each>
      </svg>
      <p class="legend">
        <xsl:for-each select="$list">
          <span><i class="k-{@class}"></i><xsl:value-of select="concat(@count, ' ', @label)"/></span>
        </xsl:for-each>
      </p>
    </xsl:if>
  </xsl:template>

  <!-- The cases of a run by verdict, worst first. -->
  <xsl:template name="verdict-bar">
    <xsl:variable name="total" select="total"/>
    <xsl:variable name="parts">
      <xsl:for-each select="$results/verdicts/verdict">
        <xsl:sort select="@rank" order="descending" data-type="number"/>
        <xsl:variable name="name" select="@name"/>
        <p class="{$name}" label="{$name}" count="{sum($total/@*[name() = $name])}"/>
      </xsl:for-each>
    </xsl:variable>
    <xsl:call-template name="bar">
      <xsl:with-param name="parts" select="$parts"/>
      <xsl:with-param name="of" select="'Cases by verdict'"/>
    </xsl:call-template>
  </xsl:template>

  <!-- ==== what is broken ==== -->

  <xsl:template match="run" mode="broken">
    <xsl:variable name="bad" select="cause[key('verdict', @verdict)/@breaks]"/>
    <xsl:variable name="unbroken" select="statement[not(key('verdict', @verdict)/@breaks)]"/>
    <section id="broken-{@number}">
      <h2>
        <xsl:text>What is broken</xsl:text>
        <xsl:call-template name="in-run"/>
      </h2>
      <xsl:choose>
        <xsl:when test="not($bad)"><p>Nothing.</p></xsl:when>
        <xsl:otherwise>
          <p class="note">Each entry is one cause, with its smallest failing case: a statement that
            is broken in one way, or an operation in which the implementation died.</p>
        </xsl:otherwise>
      </xsl:choose>
      <xsl:for-each select="$bad">
        <xsl:call-template name="cause">
          <xsl:with-param name="open" select="position() &lt;= $open-max"/>
        </xsl:call-template>
      </xsl:for-each>
      <xsl:call-template name="listed">
        <xsl:with-param name="of" select="statement[@warn]"/>
        <xsl:with-param name="verdicts" select="key('verdict', 'warn')/@name"/>
        <xsl:with-param name="heading" select="concat('Broken, but not binding at level ', @level)"/>
        <xsl:with-param name="note">These are warnings here, and failures at a stricter level:
          <code>wddm-cts report --level strict</code> reads the run so.</xsl:with-param>
      </xsl:call-template>
      <xsl:call-template name="listed">
        <xsl:with-param name="of" select="$unbroken[@flaky]"/>
        <xsl:with-param name="verdicts" select="key('verdict', 'flaky')/@name"/>
        <xsl:with-param name="heading" select="'Flaky'"/>
        <xsl:with-param name="note">Different attempts had different results.</xsl:with-param>
      </xsl:call-template>
      <xsl:call-template name="listed">
        <xsl:with-param name="of" select="$unbroken[@declined or @broken]"/>
        <xsl:with-param name="verdicts"
            select="key('verdict', 'declined')/@name | key('verdict', 'broken')/@name"/>
        <xsl:with-param name="heading" select="'Could not be tested'"/>
        <xsl:with-param name="note">A valid call was refused, or the set-up of the case
          failed.</xsl:with-param>
      </xsl:call-template>
      <xsl:call-template name="listed">
        <xsl:with-param name="of" select="$unbroken[@deviates]"/>
        <xsl:with-param name="verdicts" select="key('verdict', 'deviates')/@name"/>
        <xsl:with-param name="heading" select="'Deviates as declared'"/>
        <xsl:with-param name="note">The profile of the run declares each of these, with its
          source.</xsl:with-param>
      </xsl:call-template>
      <xsl:call-template name="listed">
        <xsl:with-param name="of" select="$unbroken[@waived]"/>
        <xsl:with-param name="verdicts" select="key('verdict', 'waived')/@name"/>
        <xsl:with-param name="heading" select="'Waived'"/>
        <xsl:with-param name="note">Known failures, which a baseline excuses.</xsl:with-param>
      </xsl:call-template>
    </section>
  </xsl:template>

  <!-- Behind a heading: of which run it is, where there are several. -->
  <xsl:template name="in-run">
    <xsl:for-each select="ancestor-or-self::run[$several]">
      <xsl:value-of select="concat(' in run ', @number, ', ')"/>
      <xsl:call-template name="run-name"/>
    </xsl:for-each>
  </xsl:template>

  <xsl:template match="declaration">
    <section id="declared-{../@number}">
      <h2>Declared, and not there<xsl:call-template name="in-run"/></h2>
      <table>
        <thead><tr><th>line</th><th>declared</th><th>found</th></tr></thead>
        <tbody>
          <xsl:for-each select="lacking">
            <tr>
              <td><code><xsl:value-of select="concat(../@file, ':', @line)"/></code></td>
              <td><xsl:value-of select="@expected"/></td>
              <td><xsl:value-of select="@found"/></td>
            </tr>
          </xsl:for-each>
        </tbody>
      </table>
    </section>
  </xsl:template>

  <xsl:template match="upgrade">
    <section id="upgrade-{../@number}">
      <h2><xsl:value-of select="concat('What begins to bind from WDDM ', @from, ' to ', @to)"/>
        <xsl:call-template name="in-run"/></h2>
      <p class="note">
        <xsl:for-each select="begins">
          <xsl:variable name="state" select="@state"/>
          <xsl:if test="not(preceding-sibling::begins[@state = $state])">
            <xsl:value-of select="concat(substring('; ', 1, 2 * (position() &gt; 1)),
                count(../begins[@state = $state]), ' ', @state)"/>
          </xsl:if>
        </xsl:for-each>
        <xsl:if test="not(begins)">Nothing does.</xsl:if>
      </p>
      <xsl:if test="begins">
        <table>
          <thead><tr><th>statement</th><th>since</th><th>state</th><th>what was seen</th></tr></thead>
          <tbody>
            <xsl:for-each select="begins">
              <tr>
                <td><b><xsl:value-of select="@ref"/></b><xsl:text> </xsl:text>
                  <xsl:value-of select="key('statement', @ref)/text"/></td>
                <td><xsl:value-of select="@since"/></td>
                <td><xsl:value-of select="@state"/></td>
                <td><xsl:value-of select="why"/>
                  <xsl:if test="replay"><br/><code><xsl:value-of select="replay"/></code></xsl:if></td>
              </tr>
            </xsl:for-each>
          </tbody>
        </table>
      </xsl:if>
    </section>
  </xsl:template>

  <!-- A headed list of statements, each with its cases of some verdicts; nothing of none. -->
  <xsl:template name="listed">
    <xsl:param name="of"/>
    <xsl:param name="verdicts"/>
    <xsl:param name="heading"/>
    <xsl:param name="note"/>
    <xsl:if test="$of">
      <h3 class="sub"><xsl:value-of select="$heading"/></h3>
      <p class="note"><xsl:copy-of select="$note"/></p>
      <xsl:for-each select="$of">
        <xsl:call-template name="failure">
          <xsl:with-param name="verdicts" select="$verdicts"/>
        </xsl:call-template>
      </xsl:for-each>
    </xsl:if>
  </xsl:template>

  <!-- Cases that failed for one reason. -->
  <xsl:template name="cause">
    <xsl:param name="open"/>
    <xsl:variable name="smallest" select="@smallest"/>
    <xsl:variable name="statement" select="@statement"/>
    <xsl:variable name="cases" select="key('of-cause', concat(../@number, ' ', @number))"/>
    <xsl:call-template name="entry">
      <xsl:with-param name="open" select="$open"/>
      <xsl:with-param name="id" select="concat('f', ../@number, '-', @anchor)"/>
      <xsl:with-param name="cases" select="$cases"/>
      <xsl:with-param name="first" select="$cases[@id = $smallest]"/>
      <xsl:with-param name="cause" select="."/>
      <xsl:with-param name="title"><xsl:call-template name="cause-title"/></xsl:with-param>
      <xsl:with-param name="note">
        <xsl:choose>
          <xsl:when test="@death">
            <xsl:call-template name="plural">
              <xsl:with-param name="count" select="@cases"/>
              <xsl:with-param name="noun" select="'case'"/>
            </xsl:call-template>
            <xsl:text> of </xsl:text>
            <xsl:call-template name="plural">
              <xsl:with-param name="count" select="@statements"/>
              <xsl:with-param name="noun" select="'statement'"/>
            </xsl:call-template>
          </xsl:when>
          <xsl:otherwise>
            <xsl:value-of select="concat(@statement, ' · ', @cases, ' of ',
                ../statement[@ref = $statement]/@count, ' cases')"/>
          </xsl:otherwise>
        </xsl:choose>
        <xsl:if test="@walked">
          <xsl:text> · random sequences alone</xsl:text>
          <xsl:if test="../cause[not(@walked) and key('verdict', @verdict)/@breaks]">
            <xsl:text>: may follow from what is above</xsl:text>
          </xsl:if>
        </xsl:if>
      </xsl:with-param>
    </xsl:call-template>
  </xsl:template>

  <!-- A statement with its cases of some verdicts, all of one list. -->
  <xsl:template name="failure">
    <xsl:param name="verdicts"/>
    <xsl:variable name="cases" select="case[@verdict = $verdicts]"/>
    <xsl:variable name="verdict" select="$cases[1]/@verdict"/>
    <xsl:variable name="least">
      <xsl:for-each select="$cases">
        <xsl:sort select="@facts" data-type="number"/>
        <xsl:if test="position() = 1"><xsl:value-of select="@id"/></xsl:if>
      </xsl:for-each>
    </xsl:variable>
    <xsl:call-template name="entry">
      <xsl:with-param name="open" select="false()"/>
      <xsl:with-param name="id" select="concat('f', ../@number, '-', @ref, '-', $verdict)"/>
      <xsl:with-param name="verdict" select="$verdict"/>
      <xsl:with-param name="cases" select="$cases"/>
      <xsl:with-param name="first" select="$cases[@id = $least]"/>
      <xsl:with-param name="title" select="key('statement', @ref)/text"/>
      <xsl:with-param name="note"
          select="concat(@ref, ' · ', count($cases), ' of ', @count, ' cases')"/>
    </xsl:call-template>
  </xsl:template>

  <xsl:template name="entry">
    <xsl:param name="open"/>
    <xsl:param name="id"/>
    <xsl:param name="cases"/>
    <xsl:param name="first"/>
    <xsl:param name="cause" select="/.."/>
    <xsl:param name="title"/>
    <xsl:param name="note"/>
    <xsl:param name="verdict" select="@verdict"/>
    <details class="failure b-{$verdict}" id="{$id}">
      <xsl:if test="$open"><xsl:attribute name="open">open</xsl:attribute></xsl:if>
      <summary>
        <xsl:call-template name="badge">
          <xsl:with-param name="verdict" select="$verdict"/>
        </xsl:call-template>
        <span class="said">
          <b><xsl:value-of select="$title"/></b>
          <small><xsl:value-of select="$note"/></small>
        </span>
      </summary>
      <xsl:for-each select="$first">
        <xsl:call-template name="first-case">
          <xsl:with-param name="statement" select="key('statement', ../@ref)"/>
          <xsl:with-param name="cause" select="$cause"/>
        </xsl:call-template>
      </xsl:for-each>
      <xsl:if test="count($cases) &gt; 1">
        <xsl:call-template name="other-cases">
          <xsl:with-param name="cases" select="$cases"/>
          <xsl:with-param name="first" select="$first"/>
        </xsl:call-template>
      </xsl:if>
    </details>
  </xsl:template>

  <xsl:template name="first-case">
    <xsl:param name="statement"/>
    <xsl:param name="cause" select="/.."/>
    <xsl:variable name="document" select="key('document', $statement/@document)"/>
    <xsl:variable name="rule" select="key('rule', @rule)"/>
    <dl class="what">
      <dt>Got</dt>
      <dd class="got"><xsl:value-of select="why"/></dd>
      <xsl:if test="$cause/wrong">
        <dt>What is wrong in the call</dt>
        <dd><pre><xsl:value-of select="$cause/wrong"/></pre></dd>
      </xsl:if>
      <xsl:if test="$cause/backtrace">
        <dt>Backtrace</dt>
        <dd><pre><xsl:value-of select="$cause/backtrace"/></pre></dd>
      </xsl:if>
      <xsl:if test="order">
        <dt>Depends on what ran before</dt>
        <dd><xsl:value-of select="order"/></dd>
      </xsl:if>
      <xsl:if test="$cause/pattern">
        <dt>Pattern over the cases</dt>
        <dd><xsl:for-each select="$cause/pattern">
          <xsl:if test="position() != 1"><br/></xsl:if>
          <xsl:value-of select="."/>
        </xsl:for-each></dd>
      </xsl:if>
      <xsl:apply-templates select="waiver"/>
      <xsl:if test="attempt">
        <dt>Attempts before</dt>
        <dd><xsl:for-each select="attempt">
          <xsl:call-template name="badge"><xsl:with-param name="verdict" select="@verdict"/></xsl:call-template>
          <xsl:if test="@times"><xsl:value-of select="concat(' ', @times, ' times:')"/></xsl:if>
          <xsl:value-of select="concat(' ', .)"/><br/>
        </xsl:for-each></dd>
      </xsl:if>
      <dt>Where the document says so</dt>
      <dd>
        <b><xsl:value-of select="$document/@title"/></b>
        <xsl:text>, </xsl:text>
        <xsl:value-of select="$statement/@where"/>
        <xsl:for-each select="$statement"><xsl:call-template name="quote"/></xsl:for-each>
        <xsl:if test="not($statement/quote)"><br/></xsl:if>
        <small>
          <xsl:value-of select="concat('document ', $document/@number, ' (')"/>
          <xsl:for-each select="$document"><xsl:call-template name="language"/></xsl:for-each>
          <xsl:value-of select="concat('), statement ', $statement/@id, ', ')"/>
          <xsl:call-template name="force">
            <xsl:with-param name="statement" select="$statement"/>
            <xsl:with-param name="rule" select="$rule"/>
          </xsl:call-template>
          <xsl:value-of select="concat('; rule ', $rule/@id, ', ')"/>
          <code><xsl:value-of select="concat($rule/@file, ':', $rule/@line)"/></code>
        </small>
        <xsl:for-each select="$statement/read-by">
          <br/><small><xsl:value-of select="concat('read by ', .)"/></small>
        </xsl:for-each>
      </dd>
      <dt>What was done</dt>
      <dd>
        <xsl:call-template name="doing"/>
        <small><xsl:value-of select="concat('WDDM ', @version, ', pages of ', @page-size, ' bytes')"/></small>
      </dd>
      <xsl:if test="replay">
        <dt>Reproduce</dt>
        <dd><xsl:call-template name="replay"/>
          <xsl:for-each select="ancestor::run[@path != 'emulator' and not(starts-with(@path, '~/'))]">
            <small>to be given in the directory in which the run was made:
              <code><xsl:value-of select="@path"/></code> is relative to it</small>
          </xsl:for-each></dd>
      </xsl:if>
    </dl>
    <xsl:call-template name="exchange"/>
  </xsl:template>

  <xsl:template match="waiver">
    <dt>Waived because</dt>
    <dd><xsl:value-of select="."/>
      <small>
        <xsl:if test="@expires"><xsl:value-of select="concat(' until ', @expires)"/></xsl:if>
        <xsl:if test="@link"><xsl:value-of select="concat(', ', @link)"/></xsl:if>
        <xsl:if test="@was"><xsl:value-of select="concat(', was ', @was)"/></xsl:if>
        <xsl:if test="@file"><xsl:text>, </xsl:text><code><xsl:value-of select="concat(@file, ':', @line)"/></code></xsl:if>
      </small>
    </dd>
  </xsl:template>

  <xsl:template name="force">
    <xsl:param name="statement"/>
    <xsl:param name="rule"/>
    <xsl:value-of select="concat($rule/@level, ', ', $statement/@basis)"/>
    <xsl:if test="$statement/@derived">, derived</xsl:if>
    <xsl:text>, binds the </xsl:text>
    <xsl:choose>
      <xsl:when test="$statement/@role = 'both'">kernel and driver</xsl:when>
      <xsl:otherwise><xsl:value-of select="$statement/@role"/></xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- What was done: the smallest sequence if there is one, else the call. -->
  <xsl:template name="doing">
    <xsl:choose>
      <xsl:when test="shrunk">
        <pre><xsl:call-template name="unindented">
          <xsl:with-param name="text" select="shrunk"/>
          <xsl:with-param name="indent" select="'    '"/>
        </xsl:call-template></pre>
      </xsl:when>
      <xsl:when test="does">
        <pre><xsl:call-template name="unindented">
          <xsl:with-param name="text" select="does"/>
          <xsl:with-param name="indent" select="'  '"/>
        </xsl:call-template></pre>
      </xsl:when>
    </xsl:choose>
    <!-- The statement itself describes what a scenario expects. -->
    <xsl:if test="expected and not(@kind = 'scenario')">
      <p class="expected"><b>Expected:</b><xsl:text> </xsl:text>
        <xsl:choose>
          <xsl:when test="expected = 'refuse'">the call is refused</xsl:when>
          <xsl:when test="expected = 'accept' and @kind = 'effect'">the call is accepted and has
            the effect that the statement names</xsl:when>
          <xsl:when test="expected = 'accept'">the call is accepted</xsl:when>
          <xsl:otherwise><xsl:value-of select="expected"/></xsl:otherwise>
        </xsl:choose></p>
    </xsl:if>
  </xsl:template>

  <!-- Text without the indent of its lines. -->
  <xsl:template name="unindented">
    <xsl:param name="text"/>
    <xsl:param name="indent"/>
    <xsl:for-each select="str:split($text, '&#10;')">
      <xsl:choose>
        <xsl:when test="starts-with(., $indent)">
          <xsl:value-of select="substring-after(., $indent)"/>
        </xsl:when>
        <xsl:otherwise><xsl:value-of select="."/></xsl:otherwise>
      </xsl:choose>
      <xsl:if test="position() != last()"><xsl:text>&#10;</xsl:text></xsl:if>
    </xsl:for-each>
  </xsl:template>

  <xsl:template name="replay">
    <div class="replay"><code><xsl:value-of select="replay"/></code></div>
  </xsl:template>

  <xsl:template name="exchange">
    <xsl:if test="got">
      <details class="exchange">
        <summary>Every message of this case, in words</summary>
        <pre><xsl:call-template name="unindented">
          <xsl:with-param name="text" select="got"/>
          <xsl:with-param name="indent" select="'    '"/>
        </xsl:call-template></pre>
      </details>
    </xsl:if>
    <xsl:if test="output">
      <details class="exchange">
        <summary>What the plug-in printed</summary>
        <pre><xsl:value-of select="output"/></pre>
      </details>
    </xsl:if>
  </xsl:template>

  <!-- All but the first, which is shown above. -->
  <xsl:template name="other-cases">
    <xsl:param name="cases"/>
    <xsl:param name="first"/>
    <xsl:variable name="left" select="count($cases) - 1 - $cases-max"/>
    <details class="others">
      <summary>
        <xsl:text>The other </xsl:text>
        <xsl:call-template name="plural">
          <xsl:with-param name="count" select="count($cases) - 1"/>
          <xsl:with-param name="noun" select="'case'"/>
        </xsl:call-template>
      </summary>
      <ul class="cases">
        <xsl:for-each select="$cases[@id != $first/@id]">
          <xsl:sort select="@facts" data-type="number"/>
          <xsl:if test="position() &lt;= $cases-max">
            <li>
              <xsl:call-template name="badge">
                <xsl:with-param name="verdict" select="@verdict"/>
              </xsl:call-template>
              <xsl:text> </xsl:text>
              <code><xsl:value-of select="@id"/></code>
              <p><xsl:value-of select="why"/></p>
              <xsl:if test="position() &lt;= $exchanges-max">
                <xsl:call-template name="replay"/>
                <xsl:call-template name="exchange"/>
              </xsl:if>
            </li>
          </xsl:if>
        </xsl:for-each>
      </ul>
      <xsl:if test="$left &gt; 0">
        <p class="note">
          <xsl:value-of select="concat($left, ' more are left out; all are in ')"/>
          <code><xsl:value-of select="concat(ancestor::run/@directory, '/verdicts.txt')"/></code>
        </p>
      </xsl:if>
    </details>
  </xsl:template>

  <!-- ==== runs side by side ==== -->

  <xsl:template name="side-by-side">
    <section id="side-by-side">
      <h2>Side by side</h2>
      <p class="note">Statements on which runs differ, or that one of them breaks: how many of the cases had the
        expected result, counted separately for calls to be refused and for calls to be accepted or to
        have an effect.</p>
      <div class="scroll">
        <table class="sides">
          <thead>
            <tr>
              <th rowspan="2" scope="col">Statement</th>
              <xsl:for-each select="run">
                <th colspan="3" scope="colgroup">
                  <xsl:value-of select="concat(@number, '. ')"/><xsl:call-template name="run-name"/>
                </th>
              </xsl:for-each>
            </tr>
            <tr>
              <xsl:for-each select="run">
                <th scope="col">verdict</th><th scope="col">refuse</th><th scope="col">accept</th>
              </xsl:for-each>
            </tr>
          </thead>
          <tbody>
            <xsl:for-each select="spec/statement">
              <xsl:variable name="id" select="@id"/>
              <xsl:variable name="all" select="$results/run/statement[@ref = $id]"/>
              <xsl:if test="$all[key('verdict', @verdict)/@rank &gt; 2] or
                  $all/@verdict != $all/@verdict">
                <tr>
                  <th scope="row"><a href="#s-{$id}"><xsl:value-of select="$id"/></a></th>
                  <xsl:for-each select="$all">
                    <xsl:call-template name="side-cells"/>
                  </xsl:for-each>
                </tr>
              </xsl:if>
            </xsl:for-each>
          </tbody>
        </table>
      </div>
    </section>
  </xsl:template>

  <xsl:template name="side-cells">
    <xsl:variable name="state"><xsl:call-template name="state"/></xsl:variable>
    <td>
      <xsl:call-template name="badge">
        <xsl:with-param name="verdict" select="translate($state, ' ', '-')"/>
      </xsl:call-template>
    </td>
    <td><xsl:apply-templates select="tally[@asks = 'refuse']" mode="share"/></td>
    <td><xsl:apply-templates select="tally[@asks = 'accept']" mode="share"/></td>
  </xsl:template>

  <!-- Skips do not count, so a statement with nothing else is left out. -->
  <xsl:template match="tally" mode="share">
    <xsl:variable name="seen" select="@count - sum(@skip)"/>
    <span>
      <xsl:if test="@skip">
        <xsl:attribute name="title"><xsl:value-of select="concat(@skip, ' skipped')"/></xsl:attribute>
      </xsl:if>
      <xsl:choose>
        <xsl:when test="$seen = 0">
          <xsl:attribute name="class">none</xsl:attribute>
          <xsl:text>&#8211;</xsl:text>
        </xsl:when>
        <xsl:otherwise>
          <xsl:if test="$seen != sum(@pass)"><xsl:attribute name="class">less</xsl:attribute></xsl:if>
          <xsl:value-of select="concat(sum(@pass), ' of ', $seen)"/>
        </xsl:otherwise>
      </xsl:choose>
    </span>
  </xsl:template>

  <!-- ==== overview ==== -->

  <xsl:template name="overview">
    <section id="overview">
      <h2>Overview: statements by document</h2>
      <xsl:for-each select="run">
        <xsl:variable name="run" select="."/>
        <xsl:if test="$several">
          <h3 class="sub"><xsl:value-of select="concat('Run ', @number, ', ')"/>
            <xsl:call-template name="run-name"/></h3>
        </xsl:if>
        <xsl:for-each select="$results/spec/document">
          <xsl:variable name="number" select="@number"/>
          <xsl:variable name="parts">
            <xsl:call-template name="state-parts">
              <xsl:with-param name="statements"
                  select="$run/statement[key('statement', @ref)/@document = $number]"/>
            </xsl:call-template>
          </xsl:variable>
          <div class="document">
            <h4><xsl:value-of select="@title"/><xsl:text> </xsl:text>
              <small><xsl:value-of select="concat('document ', @number, ', ')"/>
                <xsl:call-template name="language"/></small></h4>
            <xsl:call-template name="bar">
              <xsl:with-param name="parts" select="$parts"/>
              <xsl:with-param name="of" select="concat('Statements of ', @title)"/>
            </xsl:call-template>
          </div>
        </xsl:for-each>
      </xsl:for-each>
    </section>
  </xsl:template>

  <!-- Statements of a run by state, worst first. -->
  <xsl:template name="state-parts">
    <xsl:param name="statements"/>
    <xsl:variable name="idle" select="$statements[not(@verdict)]"/>
    <xsl:variable name="in-part"
        select="$statements[not(@proven) and hidden and @pass and key('verdict', @verdict)/@rank &lt;= 2]"/>
    <xsl:variable name="idle-testable"
        select="$idle[@testable]"/>
    <xsl:for-each select="$results/verdicts/verdict">
      <xsl:sort select="@rank" order="descending" data-type="number"/>
      <xsl:variable name="name" select="@name"/>
      <p class="{$name}"
          count="{count($statements[@verdict = $name]) - count($in-part[@verdict = $name])}">
        <xsl:attribute name="label">
          <xsl:choose>
            <xsl:when test="$name = 'pass'">proven</xsl:when>
            <xsl:otherwise><xsl:value-of select="$name"/></xsl:otherwise>
          </xsl:choose>
        </xsl:attribute>
      </p>
    </xsl:for-each>
    <p class="in-part" label="in part" count="{count($in-part)}"/>
    <p class="not-run" label="not run" count="{count($idle-testable)}"/>
    <xsl:variable name="untestable"
        select="$idle[key('statement', @ref)/@status = 'not-testable']"/>
    <p class="other-side" label="of the other side"
        count="{count($idle) - count($idle-testable) - count($untestable)}"/>
    <p class="not-testable" label="not testable" count="{count($untestable)}"/>
  </xsl:template>

  <!-- ==== all statements ==== -->

  <xsl:template name="statements">
    <section id="statements">
      <h2>All statements</h2>
      <form id="filters" hidden="hidden">
        <label>Search <input type="search" name="text" placeholder="id, flag, words"/></label>
        <label>Verdict <select name="verdict"><option value="">all</option>
          <xsl:for-each select="verdicts/verdict">
            <option><xsl:value-of select="@name"/></option>
          </xsl:for-each>
          <option value="in-part">in part</option>
          <option value="not-run">not run</option>
          <option value="other-side">other side</option>
          <option value="not-testable">not testable</option></select></label>
        <label>Document <select name="document"><option value="">all</option>
          <xsl:for-each select="spec/document">
            <option value="{@number}"><xsl:value-of select="@title"/></option>
          </xsl:for-each></select></label>
        <label>Binds <select name="role"><option value="">all</option>
          <option>caller</option><option>kernel</option><option>driver</option>
          <option>both</option></select></label>
        <label>Level <select name="level"><option value="">all</option>
          <option>must</option><option>should</option><option>meaning</option>
          <option>info</option></select></label>
        <output aria-live="polite"></output>
      </form>
      <xsl:for-each select="spec/document">
        <xsl:variable name="number" select="@number"/>
        <div class="group">
          <h3 class="sub"><xsl:value-of select="@title"/></h3>
          <xsl:apply-templates select="/results/spec/statement[@document = $number]"/>
        </div>
      </xsl:for-each>
    </section>
  </xsl:template>

  <xsl:template match="spec/statement">
    <xsl:variable name="id" select="@id"/>
    <xsl:variable name="states">
      <xsl:for-each select="/results/run">
        <xsl:for-each select="key('of-run', concat(@number, ' ', $id))">
          <s><xsl:variable name="state"><xsl:call-template name="state"/></xsl:variable>
            <xsl:value-of select="translate($state, ' ', '-')"/></s>
        </xsl:for-each>
      </xsl:for-each>
    </xsl:variable>
    <details class="statement" id="s-{@id}" data-document="{@document}" data-role="{@role}"
        data-level="{@level}">
      <xsl:attribute name="data-verdicts">
        <xsl:for-each select="exsl:node-set($states)/s">
          <xsl:value-of select="concat(' ', .)"/>
        </xsl:for-each>
        <xsl:text> </xsl:text>
      </xsl:attribute>
      <summary>
        <span class="badges">
          <xsl:for-each select="exsl:node-set($states)/s">
            <xsl:call-template name="badge"><xsl:with-param name="verdict" select="."/></xsl:call-template>
          </xsl:for-each>
        </span>
        <span class="id"><xsl:value-of select="@id"/></span>
        <span class="text"><xsl:value-of select="text"/></span>
      </summary>
      <p class="note">
        <xsl:value-of select="concat(@where, ' · ', @level, ', ', @basis)"/>
        <xsl:if test="@derived">, derived</xsl:if>
        <xsl:value-of select="concat(' · binds: ', @role, ' · from WDDM ', @since)"/>
        <xsl:if test="@until"><xsl:value-of select="concat(' until ', @until)"/></xsl:if>
        <xsl:text> · </xsl:text>
        <code><xsl:value-of select="concat(@file, ':', @line)"/></code>
      </p>
      <xsl:call-template name="quote"/>
      <xsl:if test="reason">
        <p>Not testable: <xsl:value-of select="reason"/></p>
      </xsl:if>
      <xsl:if test="rule"><xsl:call-template name="rules"/></xsl:if>
      <xsl:for-each select="/results/run">
        <xsl:for-each select="key('of-run', concat(@number, ' ', $id))">
          <xsl:call-template name="not-passed"/>
        </xsl:for-each>
      </xsl:for-each>
    </details>
  </xsl:template>

  <xsl:template name="rules">
    <div class="scroll">
      <table class="rules">
        <thead><tr><th scope="col">Rule</th>
          <xsl:if test="$several"><th scope="col">Run</th></xsl:if>
          <th scope="col">to be refused</th><th scope="col">to be accepted</th>
          <th scope="col">either</th></tr></thead>
        <tbody>
          <xsl:for-each select="rule">
            <xsl:variable name="rule" select="."/>
            <xsl:for-each select="/results/run">
              <tr>
                <xsl:if test="position() = 1">
                  <th scope="row" rowspan="{count($results/run)}">
                    <xsl:value-of select="$rule/@id"/>
                    <small><xsl:value-of select="concat(' ', $rule/@form, ', ')"/>
                      <code><xsl:value-of select="concat('line ', $rule/@line)"/></code></small>
                  </th>
                </xsl:if>
                <xsl:if test="$several"><td><xsl:value-of select="@number"/></td></xsl:if>
                <xsl:for-each select="key('rule-of-run', concat(@number, ' ', $rule/@id))">
                  <td><xsl:apply-templates select="tally[@asks = 'refuse']" mode="share"/></td>
                  <td><xsl:apply-templates select="tally[@asks = 'accept']" mode="share"/></td>
                  <td><xsl:apply-templates select="tally[@asks = 'either']" mode="share"/></td>
                </xsl:for-each>
              </tr>
            </xsl:for-each>
          </xsl:for-each>
        </tbody>
      </table>
    </div>
  </xsl:template>

  <!-- Below a statement: links to its failures, and the reasons of skips. -->
  <xsl:template name="not-passed">
    <xsl:variable name="number" select="../@number"/>
    <xsl:variable name="own" select="case"/>
    <xsl:for-each select="../cause[key('verdict', @verdict)/@breaks and @number = $own/@cause]">
      <p><a href="#f{$number}-{@anchor}">
        <xsl:text>What failed</xsl:text>
        <xsl:if test="$several"> in run <xsl:value-of select="$number"/></xsl:if>
        <xsl:value-of select="concat(': ', .)"/></a></p>
    </xsl:for-each>
    <xsl:if test="key('verdict', @verdict)/@rank = 3">
      <p><a href="#f{$number}-{@ref}-{@verdict}">
        <xsl:text>What was got</xsl:text>
        <xsl:if test="$several"> in run <xsl:value-of select="$number"/></xsl:if></a></p>
    </xsl:if>
    <xsl:if test="ladder">
      <p class="note ladder">
        <xsl:text>How far</xsl:text>
        <xsl:if test="$several"> run <xsl:value-of select="$number"/></xsl:if>
        <xsl:text> got: </xsl:text>
        <xsl:for-each select="ladder[@reached]">
          <xsl:value-of select="@step"/>
          <xsl:if test="position() != last()">, </xsl:if>
        </xsl:for-each>
        <xsl:if test="not(ladder[@reached])">nowhere</xsl:if>
        <xsl:for-each select="ladder[not(@reached)][1]">
          <xsl:value-of select="concat('; not ', @step)"/>
          <xsl:if test=". != ''"><xsl:value-of select="concat(': ', .)"/></xsl:if>
        </xsl:for-each>
      </p>
    </xsl:if>
    <xsl:if test="hidden">
      <p class="note">
        <xsl:text>Not shown</xsl:text>
        <xsl:if test="$several"> in run <xsl:value-of select="$number"/></xsl:if>:
      </p>
      <ul class="cases">
        <xsl:for-each select="hidden">
          <li><code><xsl:value-of select="@rule"/></code>
            <xsl:value-of select="concat(' (', @side, ', WDDM ', @versions, ')')"/>
            <p><xsl:value-of select="."/></p></li>
        </xsl:for-each>
      </ul>
    </xsl:if>
    <xsl:variable name="idle" select="case[key('verdict', @verdict)/@rank &lt;= 2]"/>
    <xsl:if test="$idle">
      <ul class="cases">
        <xsl:for-each select="$idle[position() &lt;= 3]">
          <li><xsl:call-template name="badge">
            <xsl:with-param name="verdict" select="@verdict"/></xsl:call-template>
            <xsl:text> </xsl:text>
            <code><xsl:value-of select="@id"/></code>
            <p><xsl:value-of select="why"/></p></li>
        </xsl:for-each>
        <xsl:if test="count($idle) &gt; 3">
          <li><xsl:value-of select="concat('... and ', count($idle) - 3, ' more')"/></li>
        </xsl:if>
      </ul>
    </xsl:if>
  </xsl:template>

  <!-- ==== pairs of flags ==== -->

  <xsl:variable name="cell" select="14"/>

  <xsl:template name="pairs">
    <section id="pairs">
      <h2>Pairs of flags</h2>
      <p class="note">Which two flags of a word were set together in a call or an answer, and whether
        the implementation then did what the documents state. The row names one flag, the column is the
        bit of the other; on the diagonal is each flag without others of its word.</p>
      <p class="legend pairs-legend">
        <span><svg viewBox="0 0 14 14" class="key"><rect class="p-allowed" x="1" y="1" width="12" height="12"/></svg>allowed, tried</span>
        <span><svg viewBox="0 0 14 14" class="key"><rect class="p-refused" x="1" y="1" width="12" height="12"/><path class="p-slash" d="M3 11 L11 3"/></svg>refused, tried</span>
        <span><svg viewBox="0 0 14 14" class="key"><rect class="p-wrong" x="1" y="1" width="12" height="12"/><path class="p-cross" d="M4 4 L10 10 M4 10 L10 4"/></svg>wrong</span>
        <span><svg viewBox="0 0 14 14" class="key"><rect class="p-either" x="1" y="1" width="12" height="12"/><path class="p-slash" d="M3 7 h8"/></svg>advised against, tried</span>
        <span><svg viewBox="0 0 14 14" class="key"><rect class="p-untried" x="1" y="1" width="12" height="12"/><circle class="p-dot" cx="7" cy="7" r="2"/></svg>allowed, not tried</span>
        <span><svg viewBox="0 0 14 14" class="key"><rect class="p-untried" x="1" y="1" width="12" height="12"/><path class="p-faint" d="M4 10 L10 4"/></svg>refused, not tried</span>
        <span><svg viewBox="0 0 14 14" class="key"><rect class="p-untried" x="1" y="1" width="12" height="12"/><path class="p-faint" d="M4 7 h6"/></svg>advised against, not tried</span>
        <span><svg viewBox="0 0 14 14" class="key"><rect class="p-open" x="1" y="1" width="12" height="12"/></svg>the documents leave it open</span>
      </p>
      <xsl:for-each select="run">
        <xsl:variable name="run" select="."/>
        <xsl:for-each select="pairs[pair]">
          <xsl:call-template name="matrix"><xsl:with-param name="run" select="$run"/></xsl:call-template>
        </xsl:for-each>
      </xsl:for-each>
    </section>
  </xsl:template>

  <xsl:template name="matrix">
    <xsl:param name="run"/>
    <xsl:variable name="word" select="key('word', @word)"/>
    <xsl:variable name="rows" select="pair[@a = @b]"/>
    <xsl:variable name="side" select="count($rows) * $cell"/>
    <!-- Room for the longest name. -->
    <xsl:variable name="longest">
      <xsl:for-each select="$word/flag[@bit = $rows/@a]">
        <xsl:sort select="string-length(@name)" data-type="number" order="descending"/>
        <xsl:if test="position() = 1"><xsl:value-of select="string-length(@name)"/></xsl:if>
      </xsl:for-each>
    </xsl:variable>
    <xsl:variable name="margin" select="32 + 7 * $longest"/>
    <xsl:variable name="tried" select="pair[@allowed + @refused + @either &gt; 0]"/>
    <xsl:variable name="wrong" select="pair[@wrong &gt; 0]"/>
    <details class="matrix">
      <xsl:if test="position() = 1 or $wrong"><xsl:attribute name="open">open</xsl:attribute></xsl:if>
      <summary>
        <b><xsl:value-of select="@word"/></b>
        <small>
          <xsl:if test="$several"><xsl:value-of select="concat(' run ', $run/@number, ',')"/></xsl:if>
          <xsl:value-of select="concat(' at WDDM ', @version, ': ', count($tried), ' of ',
              count(pair), ' pairs tried, ', count($wrong), ' wrong')"/>
        </small>
      </summary>
      <xsl:if test="$wrong">
        <p><b>Wrong:</b><xsl:text> </xsl:text>
          <xsl:for-each select="$wrong[position() &lt;= 12]">
            <xsl:call-template name="pair-name"><xsl:with-param name="word" select="$word"/></xsl:call-template>
            <xsl:value-of select="concat(' (', @wrong, ' of ', @allowed + @refused + @either, ' calls)')"/>
            <xsl:if test="position() != last()">; </xsl:if>
          </xsl:for-each>
          <xsl:if test="count($wrong) &gt; 12">; and <xsl:value-of select="count($wrong) - 12"/> more</xsl:if>
        </p>
      </xsl:if>
      <div class="scroll">
        <svg class="pairs" role="img" width="{$margin + $side + 4}" height="{$side + 20}"
            viewBox="0 0 {$margin + $side + 4} {$side + 20}"
            aria-label="Pairs of flags of {@word}: {count($tried)} of {count(pair)} tried, {count($wrong)} wrong">
          <xsl:for-each select="$rows">
            <xsl:variable name="bit" select="@a"/>
            <text class="flag" x="{$margin - 24}" y="{position() * $cell - 3}" text-anchor="end">
              <xsl:value-of select="$word/flag[@bit = $bit][last()]/@name"/>
            </text>
            <text class="bit" x="{$margin - 5}" y="{position() * $cell - 3}" text-anchor="end"><xsl:value-of select="$bit"/></text>
            <text class="bit" x="{$margin + position() * $cell - 7}" y="{$side + 12}" text-anchor="middle"><xsl:value-of select="$bit"/></text>
          </xsl:for-each>
          <xsl:for-each select="pair">
            <xsl:call-template name="pair-cell">
              <xsl:with-param name="word" select="$word"/>
              <xsl:with-param name="x" select="$margin + count($rows[@a &lt; current()/@a]) * $cell"/>
              <xsl:with-param name="y" select="count($rows[@a &lt; current()/@b]) * $cell"/>
            </xsl:call-template>
          </xsl:for-each>
        </svg>
      </div>
    </details>
  </xsl:template>

  <xsl:template name="pair-name">
    <xsl:param name="word"/>
    <xsl:value-of select="$word/flag[@bit = current()/@a][last()]/@name"/>
    <xsl:choose>
      <xsl:when test="@a = @b"> alone</xsl:when>
      <xsl:otherwise><xsl:value-of select="concat(' + ', $word/flag[@bit = current()/@b][last()]/@name)"/></xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <xsl:template name="pair-cell">
    <xsl:param name="word"/>
    <xsl:param name="x"/>
    <xsl:param name="y"/>
    <xsl:variable name="tried" select="@allowed + @refused + @either &gt; 0"/>
    <xsl:variable name="class">
      <xsl:choose>
        <xsl:when test="@wrong &gt; 0">wrong</xsl:when>
        <xsl:when test="@spec = 'open'">open</xsl:when>
        <xsl:when test="not($tried)">untried</xsl:when>
        <xsl:otherwise><xsl:value-of select="@spec"/></xsl:otherwise>
      </xsl:choose>
    </xsl:variable>
    <g>
      <title>
        <xsl:call-template name="pair-name"><xsl:with-param name="word" select="$word"/></xsl:call-template>
        <xsl:choose>
          <xsl:when test="@spec = 'open'">: left open by the documents</xsl:when>
          <xsl:when test="@spec = 'either'">: advised against, either outcome is right</xsl:when>
          <xsl:otherwise>: <xsl:value-of select="@spec"/></xsl:otherwise>
        </xsl:choose>
        <xsl:choose>
          <xsl:when test="$tried"><xsl:value-of select="concat('; calls to be accepted ', @allowed,
            ', to be refused ', @refused, ', either ', @either, '; wrong ', @wrong)"/></xsl:when>
          <xsl:otherwise>; not tried</xsl:otherwise>
        </xsl:choose>
      </title>
      <rect class="p-{$class}" x="{$x + 1}" y="{$y + 1}" width="12" height="12"/>
      <xsl:choose>
        <xsl:when test="$class = 'wrong'">
          <path class="p-cross" d="M{$x + 4} {$y + 4} l6 6 m-6 0 l6 -6"/>
        </xsl:when>
        <xsl:when test="$class = 'either'"><path class="p-slash" d="M{$x + 3} {$y + 7} h8"/></xsl:when>
        <xsl:when test="$class = 'untried' and @spec = 'either'">
          <path class="p-faint" d="M{$x + 4} {$y + 7} h6"/>
        </xsl:when>
        <xsl:when test="$class = 'refused'"><path class="p-slash" d="M{$x + 3} {$y + 11} l8 -8"/></xsl:when>
        <xsl:when test="$class = 'untried' and @spec = 'refused'">
          <path class="p-faint" d="M{$x + 4} {$y + 10} l6 -6"/>
        </xsl:when>
        <xsl:when test="$class = 'untried'"><circle class="p-dot" cx="{$x + 7}" cy="{$y + 7}" r="2"/></xsl:when>
      </xsl:choose>
    </g>
  </xsl:template>

  <!-- ==== the runs ==== -->

  <xsl:template name="runs">
    <section id="runs">
      <h2><xsl:choose><xsl:when test="$several">The runs</xsl:when>
        <xsl:otherwise>The run</xsl:otherwise></xsl:choose></h2>
      <xsl:apply-templates select="run" mode="about"/>
    </section>
  </xsl:template>

  <xsl:template match="run" mode="about">
    <xsl:if test="$several">
      <h3 class="sub"><xsl:value-of select="concat(@number, '. ')"/><xsl:call-template name="run-name"/></h3>
    </xsl:if>
    <dl class="about">
      <dt>directory</dt><dd><code><xsl:value-of select="@directory"/></code></dd>
      <dt>command</dt><dd><code><xsl:value-of select="@command_line"/></code></dd>
      <dt>implementation</dt><dd><xsl:call-template name="run-name"/> (<code><xsl:value-of
        select="@path"/><xsl:if test="@options != ''">,<xsl:value-of select="@options"/></xsl:if></code>)</dd>
      <dt>capabilities</dt><dd><xsl:value-of select="@capabilities"/><xsl:if test="@capabilities = ''">none</xsl:if></dd>
      <xsl:if test="@unrepeated">
        <dt>unrepeated</dt><dd><b><xsl:value-of select="@unrepeated"/> case<xsl:if test="@unrepeated != 1">s</xsl:if></b>
          hung or died by SIGKILL, and not when run again alone; the first: <code><xsl:value-of select="@unrepeated-first"/></code></dd>
      </xsl:if>
      <xsl:if test="@left">
        <dt>left behind</dt><dd><b><xsl:value-of select="@left"/> process<xsl:if test="@left != 1">es</xsl:if></b>,
          ended with the run: <code><xsl:value-of select="@left-names"/></code></dd>
      </xsl:if>
      <dt>tool, seed</dt><dd><xsl:value-of select="concat(@tool_version, ', ', @seed)"/></dd>
      <xsl:if test="@shards &gt; 1">
        <dt>shard</dt><dd><xsl:value-of select="concat(@shard, ' of ', @shards)"/></dd>
      </xsl:if>
      <dt>spec</dt><dd><code><xsl:value-of select="/results/spec/@digest"/></code></dd>
      <dt>plan</dt><dd><code><xsl:value-of select="@plan-digest"/></code></dd>
      <dt>journal</dt><dd><code><xsl:value-of select="@journal-digest"/></code></dd>
    </dl>
    <xsl:if test="skipped">
      <p>Skipped, by reason:</p>
      <ul class="reasons">
        <xsl:for-each select="skipped">
          <li><b><xsl:value-of select="@count"/></b><xsl:text> </xsl:text><xsl:value-of select="."/></li>
        </xsl:for-each>
      </ul>
    </xsl:if>
    <xsl:if test="next">
      <p>To implement next, and what it makes runnable at least:</p>
      <ul class="reasons">
        <xsl:for-each select="next">
          <li><b><xsl:value-of select="."/></b><xsl:text>: </xsl:text><xsl:call-template name="unlocks"/></li>
        </xsl:for-each>
      </ul>
    </xsl:if>
  </xsl:template>

  <!-- "+135 cases, 31 statements" -->
  <xsl:template name="unlocks">
    <xsl:value-of select="concat('+', @cases, ' case', substring('s', 1, @cases != 1), ', ',
        @statements, ' statement', substring('s', 1, @statements != 1))"/>
  </xsl:template>

  <!-- ==== how to read this ==== -->

  <xsl:template name="reading">
    <section id="reading">
      <h2>How to read this</h2>
      <p>The documents make statements about what callers, the kernel and drivers do. For each
        statement the suite has cases: calls to be refused because they break it, calls that differ in
        one fact and are to be accepted, and calls with an effect. A statement is <b>proven</b> when
        cases passed, none is evidence against it, and each of its rules that apply to the implementation
        was shown at each version; one of which some rules were not shown is proven <b>in part</b>.</p>
      <p><b>must</b>, <b>should</b>: how strong the document's wording is; <b>meaning</b>: what a flag or
        a call does. <b>stated</b>: the document names the consequence; <b>inferred</b>: it does not. A
        breach of an inferred statement is a failure from level documented on, a breach of advice only
        at level strict.</p>
      <dl class="about">
        <xsl:for-each select="verdicts/verdict">
          <xsl:sort select="@rank" order="descending" data-type="number"/>
          <xsl:variable name="name" select="@name"/>
          <dt><xsl:call-template name="badge"><xsl:with-param name="verdict" select="$name"/></xsl:call-template></dt>
          <dd><xsl:value-of select="exsl:node-set($meanings)/v[@id = $name]"/></dd>
        </xsl:for-each>
      </dl>
    </section>
  </xsl:template>
</xsl:stylesheet>
