#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Opens reports in headless Chromium: check_report.py CHROMEDRIVER CHROMIUM SHOTS FILE...
Of each, at 1280 pixels in light and at 400 in dark colours, and of the first the other way as well: no error on the console, no request but
for the file itself, nothing wider than the window. What script adds works, and without script all
can be read. Screenshots go to SHOTS. The first FILE must be a run that breaks something, with
passed statements beside. Prints what is wrong; the last line is "N passed, M failed"."""
import os
import pathlib
import sys

from browser import Browser

# Width, height, dark.
VIEWS = ((1280, 900, False), (400, 800, True), (1280, 900, True), (400, 800, False))
passed = 0
failed = 0


def check(name, holds, found=""):
    global passed, failed
    if holds:
        passed += 1
    else:
        failed += 1
        print("FAIL %s: %s" % (name, found))


WIDER = """
return Array.from(document.querySelectorAll('body *')).filter(function (one) {
  var box = one.getBoundingClientRect();
  return box.width > 0 && box.right > innerWidth + 1 && !one.parentElement.closest('.scroll, pre, svg');
}).slice(0, 5).map(function (one) { return one.tagName + '.' + one.className + '#' + one.id; });
"""

# What of the text cannot be seen: hidden, or behind something that cannot be opened.
UNREADABLE = """
return Array.from(document.querySelectorAll('main *')).filter(function (one) {
  return one.childElementCount === 0 && one.textContent.trim() && !one.closest('form, svg, script') &&
    !one.closest('details:not([open])') && one.getClientRects().length === 0;
}).slice(0, 5).map(function (one) { return one.tagName + ': ' + one.textContent.slice(0, 60); });
"""

CONTRAST = """
function channel(value) {
  value /= 255;
  return value <= 0.04045 ? value / 12.92 : Math.pow((value + 0.055) / 1.055, 2.4);
}
function light(colour) {
  var parts = colour.match(/[0-9.]+/g).map(Number);
  return 0.2126 * channel(parts[0]) + 0.7152 * channel(parts[1]) + 0.0722 * channel(parts[2]);
}
function ground(one) {
  for (; one; one = one.parentElement) {
    var colour = getComputedStyle(one).backgroundColor;
    if (!/, 0\\)$|transparent/.test(colour)) return colour;
  }
  return 'rgb(255, 255, 255)';
}
var pale = {};
document.querySelectorAll('body, body *').forEach(function (one) {
  var own = Array.from(one.childNodes).some(function (node) {
    return node.nodeType === 3 && node.textContent.trim();
  });
  if (!own || one.closest('script, svg, style')) return;
  var text = light(getComputedStyle(one).color), below = light(ground(one));
  var ratio = (Math.max(text, below) + 0.05) / (Math.min(text, below) + 0.05);
  if (ratio < 4.5) pale[one.tagName + '.' + one.className] = ratio.toFixed(2);
});
return pale;
"""


def open_all(browser):
    browser.run("document.querySelectorAll('details').forEach(function (one) { one.open = true; })")


def look(browser, url, name, shots, views):
    """What holds of every report, however it is looked at."""
    for width, height, dark in views:
        which = "%s at %d, %s" % (name, width, "dark" if dark else "light")
        browser.device(width, height, dark)
        browser.open(url)
        errors = [entry["message"] for entry in browser.logs("browser")]
        check(which + ": the console is empty", not errors, errors)
        requests = [request for request in browser.requests()
                    if request != url and not request.startswith("data:")]
        check(which + ": no request", not requests, requests)
        browser.screenshot(os.path.join(shots, "%s-%d-%s.png" % (
            name, width, "dark" if dark else "light")), whole=False)
        # The longest lines stand where one has to look: with everything open.
        for state in ("as it opens", "with everything open"):
            wide = browser.run("return document.documentElement.scrollWidth")
            check("%s: no wider than the window %s" % (which, state), wide <= width,
                  "%d: %s" % (wide, browser.run(WIDER) if wide > width else ""))
            open_all(browser)
        pale = browser.run(CONTRAST)
        check(which + ": contrast", not pale, pale)
    browser.device(1280, 900, True)
    browser.media("print")
    check(name + ": paper is white", browser.run(
        "return getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)")
    check(name + ": no button on paper", browser.run(
        "return Array.from(document.querySelectorAll('button, nav, form')).every("
        "function (one) { return one.getClientRects().length === 0; })"))
    browser.screenshot(os.path.join(shots, name + "-print.png"), whole=False)
    browser.media("")


def shown(browser):
    return browser.run("return document.querySelectorAll('.statement:not([hidden])').length")


def choose(browser, name, value):
    browser.run("""
        var field = document.forms.filters.elements[arguments[0]];
        field.value = arguments[1];
        field.dispatchEvent(new Event('input', {bubbles: true}));""", name, value)


def filters(browser, url):
    browser.device(1280, 900, False)
    browser.open(url)
    every = shown(browser)
    check("filters: they can be seen", browser.run(
        "return document.forms.filters.getClientRects().length === 1"))
    check("filters: all at first", every == browser.run(
        "return document.querySelectorAll('.statement').length"), every)
    expected = browser.run("return document.querySelectorAll('.statement .badges .v-fail').length")
    choose(browser, "verdict", "fail")
    check("filters: by verdict", 0 < shown(browser) == expected < every, shown(browser))
    check("filters: they count", browser.run(
        "return document.querySelector('#filters output').textContent") ==
        "%d of %d statements" % (expected, every))
    choose(browser, "verdict", "")
    choose(browser, "role", "driver")
    by_role = shown(browser)
    check("filters: by role", 0 < by_role < every, by_role)
    choose(browser, "level", "should")
    check("filters: both hold", 0 < shown(browser) < by_role, shown(browser))
    choose(browser, "role", "")
    choose(browser, "level", "")
    choose(browser, "document", "002")
    check("filters: by document", browser.run(
        "return document.querySelectorAll('.group:not([hidden])').length") == 1)
    choose(browser, "document", "")
    first = browser.run("return document.querySelector('.statement .id').textContent")
    choose(browser, "text", first.lower())
    check("filters: by words", shown(browser) >= 1 and browser.run(
        "return document.querySelector('.statement:not([hidden]) .id').textContent") == first)
    choose(browser, "text", "no statement has these words")
    check("filters: nothing is found", shown(browser) == 0)
    choose(browser, "text", "")
    check("filters: all again", shown(browser) == every)


def script(browser, url):
    """Copying, and opening what a link leads to."""
    browser.open(url)
    commands = browser.run("return document.querySelectorAll('.replay code').length")
    check("copy: a button for each command", 0 < commands == browser.run(
        "return document.querySelectorAll('.replay button').length"), commands)
    browser.run("document.querySelector('.replay button').click()")
    text = browser.run("""
        Object.defineProperty(navigator, 'clipboard', {value: undefined, configurable: true});
        document.querySelector('.replay button').click();
        return [String(getSelection()), document.querySelector('.replay code').textContent];""")
    check("copy: the command", text[0] == text[1] and text[1].startswith("wddm-cts replay "), text)
    target = browser.run("""
        var link = document.querySelector('.brief a');
        document.querySelectorAll('details').forEach(function (one) { one.open = false; });
        link.click();
        return link.getAttribute('href').slice(1);""")
    check("links: they open what they lead to", browser.run(
        "return new Promise(function (done) { setTimeout(function () {"
        " done(document.getElementById(arguments[0]).open); }.bind(null, arguments[0]), 200);"
        "}.bind(null))".replace("arguments[0]).open", "'%s').open" % target)))


def without_script(driver, chromium, url, shots):
    browser = Browser(driver, chromium, script=False)
    try:
        browser.device(400, 800, False)
        browser.open(url)
        check("without script: it is off", browser.run(
            "return document.querySelectorAll('.replay button').length") == 0)
        check("without script: no dead filters", browser.run(
            "return document.getElementById('filters').getClientRects().length") == 0)
        check("without script: what is broken stands open", browser.run(
            "return document.querySelector('.failure').open"))
        open_all(browser)
        check("without script: all can be read", not browser.run(UNREADABLE),
              browser.run(UNREADABLE))
        check("without script: the command is there", browser.run(
            "return document.querySelector('.replay code').getClientRects().length") > 0)
        browser.screenshot(os.path.join(shots, "without-script-400.png"), whole=False)
    finally:
        browser.close()


def main():
    driver, chromium, shots = sys.argv[1:4]
    files = [pathlib.Path(name).resolve() for name in sys.argv[4:]]
    os.makedirs(shots, exist_ok=True)
    browser = Browser(driver, chromium)
    try:
        for file in files:
            look(browser, file.as_uri(), file.stem, shots,
                 VIEWS if file == files[0] else VIEWS[:2])
        filters(browser, files[0].as_uri())
        script(browser, files[0].as_uri())
    finally:
        browser.close()
    without_script(driver, chromium, files[0].as_uri(), shots)
    print("%d passed, %d failed" % (passed, failed))
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
