/** Corrects what Scalar's markup tells screen readers; runs in the browser. */
function correct() {
  name('button[class*=copy-button]', 'Copy');
  name('.client-libraries__select', 'More');
  each('.client-libraries__select:not([role])', (it) => it.setAttribute('role', 'tab'));
  each('button[class*=copy-button][aria-controls]', (it) => it.removeAttribute('aria-controls'));
  each('button:is([role=search], [role=none])', (it) => it.removeAttribute('role'));
  each('.show-more[aria-label^="Show all"]', (it) => {
    it.setAttribute('aria-label', it.ariaLabel.replace('Show all', 'Show more'));
  });
  // Scalar draws one parameter in the row of another: what a row is called is looked up each time.
  each('tr [type=checkbox]', (it) => call(it, `Send ${it.closest('tr').id || 'one more'}`));
  each('.cm-content', (it) => {
    const row = it.closest('tr');
    const isName = it.closest('td')?.cellIndex === 1;
    const part = isName ? 'Name of ' : row?.id ? '' : 'Value of ';
    const text = row?.querySelector('label')?.innerText ?? part + (row?.id || 'one more');
    call(it, row ? text.trim() : 'Body');
  });
  each('button:not([role])[aria-selected]', (it) => {
    it.setAttribute('aria-current', it.getAttribute('aria-selected'));
    it.removeAttribute('aria-selected');
  });
}

function name(selector, text) {
  each(`${selector}:not([aria-label])`, (it) => it.setAttribute('aria-label', text));
}

function each(selector, change) {
  document.querySelectorAll(selector).forEach(change);
}

function call(element, text) {
  if (element.ariaLabel !== text) element.setAttribute('aria-label', text);
}

correct();
// Each time the page changes.
const changes = { attributes: true, childList: true, subtree: true };
new MutationObserver(correct).observe(document, changes);
