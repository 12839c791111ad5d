/*
 * Sends the forms that the company chose with the visit, so that they become leads. Never passwords,
 * cards, hidden fields or whatever is inside [data-dni-private]; our server checks the names again.
 */
// oxlint-disable-next-line no-unused-vars -- our server adds the call, with the chosen forms
function captureForms(selectors, origin) {
  const NEVER =
    /pass(?!enger|port)|pwd|\bcard|card(?:no|num)|cc[-_ ]?(?:num|no\b|exp|csc)|credit|\bcv[vc]2?\b|\bcsc\b|security.?code|\bssn\b|social.?sec|\biban\b|routing.?n|account.?n|secret|token|one.?time|\botp\b|\bpin\b/i;
  const SKIPPED = /^(?:password|file|hidden|submit|button|image|reset)$/;
  const isChosen = (form) =>
    selectors.some((one) => {
      try {
        return form.matches(one);
      } catch {
        return false; // Not a selector.
      }
    });
  const words = (field) => [field.name, field.id, field.autocomplete, labelOf(field)].join(' ');
  const labelOf = (field) =>
    (field.labels && field.labels[0] && field.labels[0].textContent) || field.placeholder || '';
  const isKept = (field) =>
    !SKIPPED.test(field.type) &&
    !(/^(?:checkbox|radio)$/.test(field.type) && !field.checked) &&
    !field.closest('[data-dni-private]') &&
    !NEVER.test(
      words(field)
        .replace(/([a-z])([A-Z])/g, '$1 $2')
        .replace(/_/g, ' '),
    ) &&
    !/\bcc-/.test(field.autocomplete || '');
  const dataOf = (form) => {
    const name = form.getAttribute('name') || form.id || document.title;
    const data = { form: String(name).slice(0, 100) };
    for (const field of form.elements) {
      if (!/^(?:INPUT|SELECT|TEXTAREA)$/.test(field.tagName) || !isKept(field)) continue;
      const key = (field.name || labelOf(field) || field.id)
        .replace(/\s+/g, ' ')
        .trim()
        .slice(0, 40);
      const value = String(field.value).trim().slice(0, 500);
      if (key && value && key !== 'form' && Object.keys(data).length < 20) data[key] = value;
    }
    return data;
  };
  document.addEventListener(
    'submit',
    (event) => {
      try {
        const { sessionId } = window.DNI.session();
        if (!sessionId || !isChosen(event.target)) return;
        const body = { sessionId, name: 'form', url: location.href, data: dataOf(event.target) };
        navigator.sendBeacon(`${origin}/api/dni/v1/event`, JSON.stringify(body));
      } catch {
        // The form is sent as if we weren't there.
      }
    },
    true,
  );
}
