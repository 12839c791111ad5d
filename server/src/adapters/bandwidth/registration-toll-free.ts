import type { Objection } from '../../ports/registration.ts';
import { keepId, step, type Kept, type Outcome } from '../registration-steps.ts';
import { Refused } from './dashboard.ts';
import type { Desk } from './desk.ts';
import { tollFreeJson } from './registration-words.ts';

interface Status {
  status?: string;
  declineReasonDescription?: string;
  denialStatusCode?: number;
  resubmitAllowed?: boolean;
  additionalDenialReasons?: { statusCode: number; reason: string }[] | null;
}

/** One verification a number, by Bandwidth's own document. */
export async function bringTollFree(desk: Desk, key: string, now: Kept): Promise<Outcome> {
  const { book } = desk;
  const attempt = String(now.attempt);
  const numbers: Outcome['numbers'] = [];
  const objections: Objection[] = [];
  for (const number of now.papers.numbers) {
    await step(
      book,
      key,
      now,
      number,
      async () => {
        await begin(desk, now, number);
        return 'begun';
      },
      async () => ((await look(desk, number)) ? 'begun' : undefined),
    );
    if (!now.ids[`sent:${number}`]) await keepId(book, key, now, `sent:${number}`, attempt);
    const found = await look(desk, number);
    if (found?.status === 'UNVERIFIED' && now.ids[`sent:${number}`] !== attempt) {
      // Handed in again after a refusal: mended where that is still allowed, else begun anew.
      if (found.resubmitAllowed !== false)
        await send(desk, 'PUT', one(number), { submission: tollFreeJson(now.papers) });
      else {
        await end(desk, number);
        await begin(desk, now, number);
      }
      await keepId(book, key, now, `sent:${number}`, attempt);
      numbers.push({ number, state: 'asked', reason: null });
    } else if (found?.status === 'UNVERIFIED') {
      const reasons = [
        {
          statusCode: found.denialStatusCode ?? 0,
          reason: found.declineReasonDescription || 'Bandwidth did not accept the verification.',
        },
        ...(found.additionalDenialReasons ?? []),
      ];
      for (const { statusCode, reason } of reasons)
        if (!objections.some((o) => o.text === reason))
          objections.push({
            code: String(statusCode || 'refused'),
            text: reason,
            fix: 'Change what was objected to, then submit again.',
          });
      numbers.push({ number, state: 'rejected', reason: reasons[0]!.reason });
    } else
      numbers.push({
        number,
        state: found?.status === 'VERIFIED' ? 'approved' : 'asked',
        reason: null,
      });
  }
  for (const number of Object.keys(now.ids).filter(
    (name) => name.startsWith('+') && !now.papers.numbers.includes(name),
  )) {
    await end(desk, number);
    await keepId(book, key, now, number, null);
  }
  const [open, yes] = [
    numbers.some((n) => n.state === 'asked'),
    numbers.some((n) => n.state === 'approved'),
  ];
  return {
    state: open || !numbers.length ? 'in_review' : yes ? 'approved' : 'rejected',
    brandScore: null,
    objections: yes || open ? [] : objections,
    numbers,
  };
}
export async function endTollFree(desk: Desk, key: string, now: Kept): Promise<void> {
  for (const number of Object.keys(now.ids)) {
    if (!number.startsWith('+')) continue;
    await end(desk, number);
    for (const made of [number, `sent:${number}`]) await keepId(desk.book, key, now, made, null);
  }
}

const one = (number: string) => `/phoneNumbers/${encodeURIComponent(number)}/tollFreeVerification`;
const begin = (desk: Desk, now: Kept, number: string) =>
  send(desk, 'POST', '/tollFreeVerification', {
    ...tollFreeJson(now.papers),
    phoneNumbers: [number],
  });
async function look(desk: Desk, number: string): Promise<Status | null> {
  const { status, said } = await send(desk, 'GET', one(number), undefined, [404]);
  return status === 404 ? null : (said as Status);
}
const end = (desk: Desk, number: string) => send(desk, 'DELETE', one(number), undefined, [404]);

async function send(
  desk: Desk,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: object,
  fine: readonly number[] = [],
): Promise<{ status: number; said: unknown }> {
  const { status, body: bytes } = await desk.api.ask(
    'tollFree',
    method,
    `/accounts/${encodeURIComponent(desk.settings.accountId)}${path}`,
    body && { type: 'application/json', text: JSON.stringify(body) },
  );
  if (status >= 500 || status === 429)
    throw new Error(`Bandwidth’s toll-free verification answered ${status}.`);
  const said = bytes.length
    ? (JSON.parse(bytes.toString('utf8')) as Record<string, unknown>)
    : null;
  if (status >= 400 && !fine.includes(status)) {
    const [first] = (said?.['errors'] ?? []) as { code?: string; description?: string }[];
    throw new Refused(
      status,
      String(first?.code ?? said?.['type'] ?? 'refused'),
      String(
        first?.description ??
          said?.['description'] ??
          `Bandwidth’s toll-free verification answered ${status}.`,
      ),
    );
  }
  return { status, said };
}
