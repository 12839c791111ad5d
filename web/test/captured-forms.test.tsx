import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';

/** The file as pages load it: it isn't built, and stands on other people's pages. */
const code = readFileSync(join(import.meta.dirname, '../../snippet/forms.js'), 'utf8');
const load = (selectors: string[]): void => {
  // oxlint-disable-next-line no-implied-eval -- as a script tag does
  new Function(`${code}captureForms(${JSON.stringify(selectors)}, 'https://phones.test');`)();
};

const sent: { url: string; body: { sessionId: string; name: string; data: object } }[] = [];
const page = window as unknown as { DNI?: { session(): { sessionId: string | undefined } } };
function open(html: string, sessionId: string | undefined = '1-c8-x'): void {
  sent.length = 0;
  document.body.innerHTML = html;
  page.DNI = { session: () => ({ sessionId }) };
  navigator.sendBeacon = vi.fn((url: string | URL, body?: BodyInit | null) => {
    sent.push({ url: String(url), body: JSON.parse(String(body)) as (typeof sent)[0]['body'] });
    return true;
  });
}
const submit = (id: string): void =>
  void document
    .getElementById(id)
    ?.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }));
afterEach(() => delete page.DNI);

test('chosen forms are sent without passwords, cards, hidden and private fields', () => {
  open(`<form id="lead" name="Appointment">
      <input name="name" value="Ann Lee"><label>Phone <input type="tel" value="(212) 555-0100"></label>
      <input type="password" name="pw" value="no1"><input type="hidden" name="csrf" value="no2">
      <input name="x1" autocomplete="cc-number" value="no3"><input name="cardNumber" value="no4">
      <label>Security code <input name="x2" value="no5"></label>
      <fieldset data-dni-private><input name="health" value="no6"></fieldset>
      <input type="checkbox" name="news" value="no7"><input type="file" name="scan">
      <input type="radio" name="when" value="Noon" checked><textarea name="note">Hi</textarea>
      <select name="place"><option>Uptown</option></select><button name="go" value="no8">Go</button>
    </form><form id="other"><input name="phone" value="no9"></form>`);
  load(['[', '#lead']);
  submit('other');
  submit('lead');
  expect(sent).toEqual([
    {
      url: 'https://phones.test/api/dni/v1/event',
      body: {
        sessionId: '1-c8-x',
        name: 'form',
        url: location.href,
        data: {
          form: 'Appointment',
          name: 'Ann Lee',
          Phone: '(212) 555-0100',
          when: 'Noon',
          note: 'Hi',
          place: 'Uptown',
        },
      },
    },
  ]);
});

test('a huge form is cut to what the server takes, and nothing is sent without a visit', () => {
  const fields = Array.from(
    { length: 60 },
    (_, i) =>
      `<input name="${'f'.repeat(60)}${i}" value="x"><input name="g${i}" value="${'y'.repeat(900)}">`,
  );
  open(`<form id="big">${fields.join('')}</form>`);
  load(['#big']);
  submit('big');
  const data = Object.entries(sent[0]!.body.data);
  expect(data.length).toBeLessThanOrEqual(20);
  expect(data.every(([key, value]) => key.length <= 40 && String(value).length <= 500)).toBe(true);
  open('<form id="big"><input name="phone" value="1"></form>', '');
  submit('big');
  delete page.DNI;
  submit('big');
  expect(sent).toEqual([]);
});
