import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { sentences } from '#contract/sentences';
import type { ToastContent } from '../toast.ts';
import { ApiError } from './error.ts';
import { createRequest, type ApiCall, type ApiConfig, type Renewal } from './request.ts';

/** A server that returns these responses in order and records the requests. */
function mockServer(...answers: (Response | Error)[]) {
  const asked: { url: string; init: RequestInit; headers: Record<string, string> }[] = [];
  const notices: ToastContent[] = [];
  const log: string[] = [];
  const state = {
    token: null as string | null,
    admin: false,
    cookies: 'a=1; XSRF-TOKEN=x%3D9; b=2',
    companyId: 7 as number | null,
    renewal: 'ended' as Renewal,
  };
  const config: ApiConfig = {
    base: '/api',
    fetch: (async (url: string, init: RequestInit = {}) => {
      asked.push({ url, init, headers: (init.headers ?? {}) as Record<string, string> });
      const next = answers.shift();
      if (next instanceof Error) throw next;
      return next ?? json({ data: 'ok' });
    }) as typeof fetch,
    cookies: () => state.cookies,
    token: () => state.token,
    isAdmin: () => state.admin,
    companyId: () => state.companyId,
    supportEmail: () => 'help@acme.test',
    notify: (n) => void notices.push(n),
    logOut: () => void log.push('out'),
    afterLogout: () => void log.push('after'),
    renewSession: () => Promise.resolve(state.renewal),
    confirmIdentity: async () => log.push('confirm') > 0,
    wait: (ms) => new Promise((done) => setTimeout(done, ms)),
    newKey: () => `key-${asked.length}`,
  };
  return { request: createRequest(config), asked, notices, log, state };
}
const json = (body: unknown, status = 200, headers: Record<string, string> = {}): Response =>
  new Response(status === 204 ? null : JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  });
const get = (more: Partial<ApiCall> = {}): ApiCall => ({ method: 'GET', path: '/things', ...more });
/** The error a call ends with. */
const callAndFail = async (call: Promise<unknown>): Promise<ApiError> =>
  call.then(
    () => {
      throw new Error('not refused');
    },
    (e: unknown) => e as ApiError,
  );

describe('request headers and body (A §7)', () => {
  it('without a token, cookies and the decoded XSRF cookie are sent', async () => {
    const s = mockServer();
    await s.request(get());
    expect(s.asked[0]).toMatchObject({ url: '/api/things', init: { credentials: 'include' } });
    expect(s.asked[0]!.headers['x-xsrf-token']).toBe('x=9');
    expect(s.asked[0]!.headers['authorization']).toBeUndefined();
  });
  it('with a token, the bearer header is sent and no cookies', async () => {
    const s = mockServer();
    s.state.token = 'tla_1';
    await s.request(get());
    expect(s.asked[0]!.init.credentials).toBe('omit');
    expect(s.asked[0]!.headers['authorization']).toBe('Bearer tla_1');
  });
  it('an absolute URL gets neither the CSRF header nor the token', async () => {
    const s = mockServer();
    s.state.token = 'tla_1';
    await s.request(get({ path: 'https://files.example.com/x' }));
    expect(s.asked[0]!.url).toBe('https://files.example.com/x');
    expect(s.asked[0]!.headers['x-xsrf-token']).toBeUndefined();
    expect(s.asked[0]!.headers['authorization']).toBeUndefined();
  });
  it('carries the isAdmin header on every request in admin mode', async () => {
    const s = mockServer();
    await s.request(get());
    s.state.admin = true;
    await s.request(get());
    expect(s.asked.map((a) => a.headers['isAdmin'])).toEqual([undefined, 'true']);
  });
  it('path parameters and placeholders get the selected company', async () => {
    const s = mockServer();
    await s.request(get({ path: '/companies/:companyId/x', query: { company_id: ':companyId' } }));
    await s.request(get({ path: '/companies/{companyId}/users/{id}', params: { id: 'a b' } }));
    expect(s.asked.map((a) => a.url)).toEqual([
      '/api/companies/7/x?company_id=7',
      '/api/companies/7/users/a%20b',
    ]);
  });
  it('a JSON body has objects as JSON text, arrays in brackets, and no nulls', async () => {
    const s = mockServer();
    await s.request(
      get({
        query: {
          filter: { status: 'sent' },
          numbers: [1, 2],
          gone: null,
          absent: undefined,
          on: false,
          page: 0,
          empty: '',
        },
      }),
    );
    expect(decodeURIComponent(s.asked[0]!.url)).toBe(
      '/api/things?filter={"status":"sent"}&numbers[]=1&numbers[]=2&on=false&page=0&empty=',
    );
  });
  it('multipart edits are sent as POST with _method, arrays in brackets, files unchanged', async () => {
    const s = mockServer();
    await s.request({
      method: 'PATCH',
      path: '/campaigns/{id}',
      params: { id: 3 },
      multipart: true,
      body: {
        title: 'T',
        groups: [1, 2],
        skip_inbox: true,
        media: [new File(['x'], 'a.png')],
        none: null,
      },
    });
    const form = s.asked[0]!.init.body as FormData;
    expect(s.asked[0]!.init.method).toBe('POST');
    expect([...form.keys()]).toEqual([
      '_method',
      'title',
      'groups[]',
      'groups[]',
      'skip_inbox',
      'media[]',
    ]);
    expect(form.get('_method')).toBe('PATCH');
    expect((form.get('media[]') as File).name).toBe('a.png');
    expect(s.asked[0]!.headers['content-type']).toBeUndefined();
  });
  it('a POST with idempotencyKey has one Idempotency-Key, the same for every retry', async () => {
    vi.useFakeTimers();
    const s = mockServer(
      json({}, 429),
      json({ message: 'x', code: 'csrf_mismatch' }, 403),
      json({}),
      json({ data: 1 }),
    );
    const done = s.request({
      method: 'POST',
      path: '/message',
      body: { message: 'hi' },
      idempotencyKey: true,
    });
    await vi.advanceTimersByTimeAsync(5000);
    await done;
    const keys = s.asked
      .filter((a) => a.url === '/api/message')
      .map((a) => a.headers['idempotency-key']);
    expect(keys).toEqual(['key-0', 'key-0', 'key-0']);
    vi.useRealTimers();
  });
});

describe('error responses (A §8, B §8)', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('on a CSRF mismatch the cookie is fetched once and the request retried', async () => {
    const s = mockServer(
      json({ message: 'no', code: 'csrf_mismatch' }, 403),
      json(null, 204),
      json({ data: 'fine' }),
    );
    expect((await s.request({ method: 'POST', path: '/x' })).body).toEqual({ data: 'fine' });
    expect(s.asked.map((a) => a.url)).toEqual(['/api/x', '/api/csrf-cookie', '/api/x']);
    expect(s.notices).toEqual([]);
  });
  it('the CSRF cookie is fetched once before concurrent first writes with the session cookie', async () => {
    const s = mockServer();
    s.state.cookies = '';
    await Promise.all([
      s.request({ method: 'POST', path: '/x' }),
      s.request({ method: 'PUT', path: '/y' }),
      s.request(get()),
    ]);
    expect(s.asked.map((a) => a.url).sort()).toEqual([
      '/api/csrf-cookie',
      '/api/things',
      '/api/x',
      '/api/y',
    ]);
  });
  it('a repeated CSRF mismatch is an error', async () => {
    const no = () =>
      json(
        { message: 'Your session token was out of date. Please try again.', code: 'csrf_mismatch' },
        403,
      );
    const s = mockServer(no(), json(null, 204), no());
    await callAndFail(s.request({ method: 'POST', path: '/x' }));
    expect(s.asked).toHaveLength(3);
    expect(s.notices[0]!.title).toBe('Your session token was out of date. Please try again.');
  });

  it('on 429 it waits for Retry-After and shows the warning only the first time', async () => {
    const s = mockServer(
      json({}, 429, { 'retry-after': '2' }),
      json({}, 429, { 'retry-after': '1' }),
      json({ data: 1 }),
    );
    const done = s.request(get());
    await vi.advanceTimersByTimeAsync(0);
    expect(s.notices).toEqual([
      {
        type: 'warn',
        title:
          "Oops! It appears that you've reached the limit of allowed requests per second. As a result, the APP will respond at a slower speed for your subsequent requests.",
      },
    ]);
    await vi.advanceTimersByTimeAsync(1999);
    expect(s.asked).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(s.asked).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(1000);
    await done;
    expect(s.asked).toHaveLength(3);
    expect(s.notices).toHaveLength(1);
  });
  it('without Retry-After it waits 5000 ms, and stops after three retries', async () => {
    const s = mockServer(
      ...Array.from({ length: 6 }, () =>
        json({ message: 'Too many requests.', code: 'rate.limited' }, 429),
      ),
    );
    const done = callAndFail(s.request(get()));
    await vi.advanceTimersByTimeAsync(4999);
    expect(s.asked).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(10_001);
    expect((await done).status).toBe(429);
    expect(s.asked).toHaveLength(4);
  });
  it('with retryOn429 false a 429 fails at once, as a locked sign-in may ask for minutes', async () => {
    const s = mockServer(
      json({ message: 'Too many attempts. Try again in 15 minutes.', code: 'login.locked' }, 429, {
        'retry-after': '900',
      }),
    );
    expect(
      (await callAndFail(s.request({ method: 'POST', path: '/sanctum/login', retryOn429: false })))
        .text,
    ).toBe('Too many attempts. Try again in 15 minutes.');
  });
  it('a read waits for a busy server twice and in silence; a write is answered at once', async () => {
    const busy = () =>
      json({ message: 'The server is busy.', code: 'busy' }, 503, { 'retry-after': '5' });
    const s = mockServer(busy(), busy(), json({ data: 1 }));
    const done = s.request(get());
    await vi.advanceTimersByTimeAsync(4999);
    expect(s.asked).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(10_001);
    expect((await done).body).toEqual({ data: 1 });
    expect(s.notices).toEqual([]);

    const stillBusy = mockServer(busy(), busy(), busy(), busy());
    const failed = callAndFail(stillBusy.request(get()));
    await vi.advanceTimersByTimeAsync(15_000);
    expect((await failed).status).toBe(503);
    expect(stillBusy.asked).toHaveLength(3);

    const write = mockServer(busy(), json({ data: 1 }));
    expect((await callAndFail(write.request({ method: 'POST', path: '/x' }))).status).toBe(503);
    expect(write.asked).toHaveLength(1);
  });

  it.each([
    ['401', json({ message: 'Unauthenticated.' }, 401)],
    ['500 with an unauthenticated message', json({ message: 'Unauthenticated.' }, 500)],
  ])('%s signs out and runs the after-logout step 500 ms later', async (_name, response) => {
    const s = mockServer(response);
    await callAndFail(s.request(get()));
    expect(s.log).toEqual(['out']);
    expect(s.notices).toEqual([]);
    await vi.advanceTimersByTimeAsync(499);
    expect(s.log).toEqual(['out']);
    await vi.advanceTimersByTimeAsync(1);
    expect(s.log).toEqual(['out', 'after']);
  });
  it('repeats a call once after its session was renewed, and signs nobody out meanwhile', async () => {
    const expired = () => json({ message: 'Unauthenticated.' }, 401);
    const s = mockServer(expired(), json({ data: 'mine' }));
    s.state.renewal = 'renewed';
    expect((await s.request(get())).body).toEqual({ data: 'mine' });
    expect(s.log).toEqual([]);
    const again = mockServer(expired(), expired());
    again.state.renewal = 'renewed';
    await callAndFail(again.request(get()));
    expect([again.asked.length, again.log]).toEqual([2, ['out']]);
    const offline = mockServer(expired());
    offline.state.renewal = 'unreachable';
    expect((await callAndFail(offline.request(get()))).status).toBe(0);
    expect(offline.log).toEqual([]);
  });
  it('with skipsSessionCheck a 401 stays signed in and shows the not-authorized toast', async () => {
    const s = mockServer(json({ message: 'Unauthenticated.' }, 401));
    const error = await callAndFail(s.request(get({ skipsSessionCheck: true })));
    await vi.advanceTimersByTimeAsync(1000);
    expect(s.log).toEqual([]);
    expect(error.text).toBe("You're not authorized to perform this action");
    expect(s.notices).toEqual([
      { type: 'danger', title: "You're not authorized to perform this action", ms: 10_000 },
    ]);
  });

  it.each([400, 403, 422])(
    'the toast of a %i has the title and detail pairs, for ten seconds',
    async (status) => {
      const s = mockServer(
        json(
          {
            message: 'm',
            errors: [{ code: 'a.b', title: 'Cannot pause', detail: 'It is not running.' }],
          },
          status,
        ),
      );
      await callAndFail(s.request(get()));
      expect(s.notices).toEqual([
        { type: 'danger', title: 'Cannot pause', detail: 'It is not running.', ms: 10_000 },
      ]);
    },
  );
  it('without pairs, the toast has the messages joined by lines', async () => {
    const s = mockServer(
      json(
        {
          message: 'The given data was invalid.',
          errors: { email: ['Enter an email address.'], name: ['Enter a name.', 'Too short.'] },
        },
        422,
      ),
    );
    const error = await callAndFail(s.request(get()));
    expect(error.text).toBe('Enter an email address.\nEnter a name.\nToo short.');
    expect(error.fields).toEqual({ email: 'Enter an email address.', name: 'Enter a name.' });
    expect(s.notices[0]).toMatchObject({
      lines: ['Enter an email address.', 'Enter a name.', 'Too short.'],
      ms: 10_000,
    });
  });
  it('the error is read from errors, else the body, else the message; else "Unknown error"', async () => {
    const texts = [];
    for (const response of [
      json({ errors: ['from errors'], message: 'm' }, 400),
      json(['from body'], 400),
      json({ message: 'from message' }, 400),
      json({}, 400),
    ])
      texts.push((await callAndFail(mockServer(response).request(get()))).text);
    expect(texts).toEqual(['from errors', 'from body', 'from message', sentences.unknown]);
  });
  it('a domain error of another status shows its own sentence', async () => {
    const s = mockServer(
      json(
        {
          message: 'That number was just taken. Please choose another.',
          code: 'numbers.taken',
          errors: [
            {
              code: 'numbers.taken',
              title: 'That number was just taken. Please choose another.',
              detail: 'That number was just taken. Please choose another.',
            },
          ],
        },
        409,
      ),
    );
    await callAndFail(s.request(get()));
    expect(s.notices[0]).toEqual({
      type: 'danger',
      title: 'That number was just taken. Please choose another.',
      ms: 10_000,
    });
  });
  it.each([
    ['500', json({ message: 'boom' }, 500)],
    ['an HTML page', new Response('<html>502</html>', { status: 502 })],
  ])('%s shows the unknown-error sentence with the support address', async (_name, response) => {
    const s = mockServer(response);
    await callAndFail(s.request(get()));
    expect(s.notices).toEqual([
      {
        type: 'danger',
        title:
          'An unknown error has occurred, please try again or contact support by emailing us at help@acme.test',
        ms: 10_000,
      },
    ]);
  });
  it('silent shows no toast, and failure replaces the sentence of the toast', async () => {
    const s = mockServer(json({}, 500), json({}, 500), json({ message: 'x' }, 422));
    await callAndFail(s.request(get({ silent: true })));
    await callAndFail(
      s.request(
        get({
          failure: { title: 'Error loading conversations', detail: 'Please try again later.' },
        }),
      ),
    );
    await callAndFail(s.request(get({ silent: (r) => r.status === 422 })));
    expect(s.notices).toEqual([
      {
        type: 'danger',
        ms: 10_000,
        title: 'Error loading conversations',
        detail: 'Please try again later.',
      },
    ]);
  });
});

describe('network errors', () => {
  const post = (more: Partial<ApiCall> = {}): ApiCall => ({
    method: 'POST',
    path: '/things',
    idempotencyKey: true,
    body: { name: 'A' },
    ...more,
  });
  const lost = new TypeError('Failed to fetch');
  it('a network error has its own sentence, not the unknown-error one', async () => {
    for (const failure of [undefined, { title: 'It was not saved' }]) {
      const s = mockServer(lost);
      const error = await callAndFail(s.request(post({ ...(failure && { failure }) })));
      expect([error.status, error.text]).toEqual([0, sentences.unreachable]);
      expect(JSON.stringify(s.notices)).toContain('Check your connection');
      expect(JSON.stringify(s.notices)).not.toContain('unknown error');
    }
  });
  it('an equal call after a network error reuses the key until it gets a response', async () => {
    const s = mockServer(lost, lost, json({ data: 'made' }));
    const keys = (): (string | undefined)[] => s.asked.map((a) => a.headers['idempotency-key']);
    await callAndFail(s.request(post()));
    await callAndFail(s.request(post({ body: { name: 'B' } })));
    await s.request(post());
    await s.request(post());
    const [first, other, again, later] = keys();
    expect(again).toBe(first);
    expect(new Set([first, other, later]).size).toBe(3);
  });
});
