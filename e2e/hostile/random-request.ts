import { endpoints, type DescribedEndpoint } from '#contract';
import type { Target } from './outcome.ts';
import { asText, numbers, randomValue, texts, words, type SeededRandom } from './values.ts';

/** These end the session, change passwords, or send email to third parties. */
const abandoned = new Set([
  'logout',
  'clearTokenSessions',
  'login',
  'resetPassword',
  'forgotPassword',
  'createTokenSession',
  'invitePerson',
  'resendInvitation',
]);
const asked = endpoints.filter((e) => !abandoned.has(e.name));

/** Half of a surrogate pair can't be in an address. */
const encoded = (text: string): string => encodeURIComponent(Buffer.from(text).toString());

/** The example's body with some of its members changed, removed or added. */
function randomBody(d: SeededRandom, e: DescribedEndpoint, companyId: number): unknown {
  if (d.one(0.15)) return randomValue(d);
  const out: Record<string, unknown> = { ...(e.example.body as object) };
  for (const key of ['companyId', 'company_id']) if (key in out) out[key] = companyId;
  for (let i = d.under(4); i > 0; i--) {
    const keys = Object.keys(out);
    const key =
      keys.length && d.one(0.8)
        ? d.pick(keys)
        : d.pick(['companyId', 'id', 'ids', 'sort', '_method', 'filter', 'x', ...words]);
    if (d.one(0.2)) delete out[key];
    else
      Object.defineProperty(out, key, {
        value: randomValue(d),
        enumerable: true,
        configurable: true,
        writable: true,
      });
  }
  return out;
}

function randomForm(d: SeededRandom): { type: string; payload: string } {
  const parts = Array.from(
    { length: d.under(5) },
    () =>
      `--b\r\ncontent-disposition: form-data; name="${d.pick(['a', 'a[]', 'file', 'media[]', '_method', 'companyId', 'constructor[]', '__proto__', '', 'x[0]', ...words])}"${d.one(0.4) ? `; filename="${d.pick(['a.csv', '', '../x', 'a\0', 'é'])}"` : ''}${d.one(0.2) ? '\r\ncontent-type: application/json' : ''}\r\n\r\n${asText(randomValue(d)).slice(0, 500)}\r\n`,
  );
  const whole = `${parts.join('')}--b--\r\n`;
  return {
    type: d.pick([
      'multipart/form-data; boundary=b',
      'multipart/form-data; boundary=b',
      'multipart/form-data',
      'multipart/form-data; boundary=',
      'multipart/mixed; boundary=b',
      'multipart/form-data; boundary="b',
    ]),
    payload: d.one(0.3) ? whole.slice(0, d.under(whole.length)) : whole,
  };
}

export interface HostileRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  payload: string | Buffer | null;
}
const elsewhere = [
  '/',
  '/livez',
  '/readyz',
  '/metrics',
  '/docs',
  '/inbox',
  '/assets/x.js',
  '/sandbox/texts',
  '/sandbox/faxes',
  '/sandbox/numbers',
  '/sandbox/handset/token',
  '/sandbox/calls',
  '/sandbox/calls/x',
  '/sandbox/legs/x/answer',
  '/sandbox/phones/1/ringing',
  '/sandbox/phones/x',
  '/sandbox/pictures/x',
  '/sandbox/faxes/1/document',
  '/sandbox/ports/x/advance',
  '/sandbox/registrations/x/review',
  '/media/join',
  '/media/x/dial',
  '/media/x/speak',
  '/carriers/sandbox/texts',
  '/carriers/sandbox/voice',
  '/carriers/sandbox/fax',
  '/carriers/sandbox/receipts',
  '/dev/outbox.json',
  '/dev/pushes.json',
  '/socket.io/',
  '/api/openapi.json',
  '/api/nothing',
  '/%',
  '/%ff',
  '/api/%',
  '//',
  '/api//user',
  `/api/numbers/${'1'.repeat(300)}`,
];

function randomQuery(d: SeededRandom, companyId: number): string {
  const parts = d.one(0.7) ? [`companyId=${companyId}`] : [];
  for (let i = d.under(4); i > 0; i--) {
    const key = d.pick([
      'a',
      'a[]',
      'sort',
      'dir',
      'page',
      'perPage',
      'filter',
      'search',
      'status',
      'status[]',
      'ids[]',
      'include',
      'eav',
      'groups',
      'start',
      'end',
      'cursor',
      'limit',
      'columns',
      'companyId',
      'companyId[]',
      'company_id',
      'strict',
      '_method',
      'tz',
      ...words,
    ]);
    parts.push(
      d.one(0.1)
        ? d.pick(['&', '=', '[]', '%', '%zz=1', 'a[=1'])
        : `${encodeURIComponent(key)}=${encoded(asText(randomValue(d)).slice(0, 1500))}`,
    );
  }
  return parts.length ? `?${parts.join('&')}` : '';
}

export function randomRequest(d: SeededRandom, target: Target, token: string): HostileRequest {
  const e = d.one(0.85) ? d.pick(asked) : null;
  const id = () =>
    encoded(
      d.one(0.5)
        ? String(d.under(40) + 1)
        : asText(d.pick<unknown>([...texts, ...numbers])).slice(0, 200),
    ) || 'x';
  const path = e
    ? `/api${e.path.replace(/\{(\w+)\}/g, (_, key: string) => ((key === 'companyId' || e.path.startsWith('/company/{id}')) && d.one(0.9) ? String(target.companyId) : id()))}`
    : d.pick(elsewhere);
  const method = d.one(0.9)
    ? (e?.method ?? d.pick(['GET', 'POST', 'PUT']))
    : d.pick(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']);
  const headers: Record<string, string> = {};
  if (d.one(0.9))
    headers['authorization'] = d.one(0.97)
      ? `Bearer ${token}`
      : d.pick(['Bearer', 'Bearer \u00ff', 'Basic x', `Bearer ${'x'.repeat(4000)}`]);
  if (d.one(0.1))
    headers[
      d.pick([
        'if-none-match',
        'if-match',
        'range',
        'isAdmin',
        'x-forwarded-for',
        'cookie',
        'accept',
        'idempotency-key',
        'accept-encoding',
      ])
    ] = d.pick([
      '*',
      'W/"x"',
      'bytes=5-1',
      'bytes=-',
      '1',
      '999.1.1.1, ::zz',
      'trunkline_session=%00; XSRF-TOKEN=%',
      '',
      'x'.repeat(2000),
    ]);
  let payload: string | Buffer | null = null;
  if (method !== 'GET' && method !== 'HEAD' && d.one(0.95)) {
    if (e?.multipart ? d.one(0.5) : d.one(0.08)) {
      const made = randomForm(d);
      headers['content-type'] = made.type;
      payload = made.payload;
    } else {
      headers['content-type'] = d.one(0.96)
        ? 'application/json'
        : d.pick([
            'text/plain',
            'application/x-www-form-urlencoded',
            'application/xml',
            'x',
            'application/json; charset=utf-7',
          ]);
      const json = asText(e ? randomBody(d, e, target.companyId) : randomValue(d));
      payload = d.one(0.05)
        ? json.slice(0, d.under(json.length + 1))
        : d.one(0.01)
          ? `{"a":"${'x'.repeat(3_000_000)}"}`
          : json;
    }
  }
  return { method, path: path + randomQuery(d, target.companyId), headers, payload };
}
