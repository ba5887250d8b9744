/* SPDX-License-Identifier: MIT */
/* What the report has beyond what is readable without script: filters, copying, opening. */
(function () {
  'use strict';

  /* ---- copying a command ---- */

  function copied(button) {
    button.textContent = 'Copied';
    setTimeout(function () { button.textContent = 'Copy'; }, 1500);
  }

  function copyBySelection(code, button) {
    var range = document.createRange(), selection = getSelection();
    range.selectNodeContents(code);
    selection.removeAllRanges();
    selection.addRange(range);
    if (document.execCommand('copy')) copied(button);
  }

  document.querySelectorAll('.replay').forEach(function (place) {
    var code = place.querySelector('code'), button = document.createElement('button');
    button.type = 'button';
    button.textContent = 'Copy';
    button.addEventListener('click', function () {
      if (!navigator.clipboard) return copyBySelection(code, button);
      navigator.clipboard.writeText(code.textContent).then(
        function () { copied(button); },
        function () { copyBySelection(code, button); });
    });
    place.appendChild(button);
  });

  /* ---- filters ---- */

  var form = document.getElementById('filters');
  var statements = Array.prototype.slice.call(document.querySelectorAll('.statement'));

  function shows(statement) {
    var text = form.elements.text.value.trim().toLowerCase();
    var verdict = form.elements.verdict.value;
    if (verdict && statement.dataset.verdicts.indexOf(' ' + verdict + ' ') < 0) return false;
    if (['document', 'role', 'level'].some(function (name) {
      var value = form.elements[name].value;
      return value && statement.dataset[name] !== value;
    })) return false;
    return !text || text.split(/\s+/).every(function (word) {
      return statement.textContent.toLowerCase().indexOf(word) >= 0;
    });
  }

  function filter() {
    var shown = 0;
    statements.forEach(function (statement) {
      statement.hidden = !shows(statement);
      if (!statement.hidden) shown++;
    });
    document.querySelectorAll('.group').forEach(function (group) {
      group.hidden = !group.querySelector('.statement:not([hidden])');
    });
    form.querySelector('output').textContent =
      shown + ' of ' + statements.length + ' statements';
  }

  form.hidden = false;
  form.addEventListener('input', filter);
  form.addEventListener('submit', function (event) { event.preventDefault(); });
  filter();

  /* ---- opening what a link leads to, and everything for paper ---- */

  function openTarget() {
    var target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    for (var at = target; at; at = at.parentElement) if (at.tagName === 'DETAILS') at.open = true;
    if (target) { target.hidden = false; target.scrollIntoView(); }
  }
  addEventListener('hashchange', openTarget);
  openTarget();

  addEventListener('beforeprint', function () {
    document.querySelectorAll('.failure, .matrix').forEach(function (one) { one.open = true; });
  });
}());
