/** The sandbox's plain HTTP: it stands outside the API and its session, as an outside phone does. */

export interface Known {
  number: string;
  label: string;
  company: string;
  texts: boolean;
  calls: boolean;
}
export interface CarriedText {
  id: number;
  from: string;
  to: string;
  text: string;
  media: { url: string; contentType: string }[];
  receivedAt: string;
  direction: 'sent' | 'received';
}
export type HeardKind = 'say' | 'play' | 'ring' | 'hold' | 'bridge' | 'beep';
export interface Heard {
  at: string;
  kind: HeardKind;
  what: string;
}
export type Doing =
  | 'calling'
  | 'menu'
  | 'greeting'
  | 'ringing'
  | 'hold'
  | 'voicemail'
  | 'talking'
  | 'waiting'
  | 'ended';
export interface CallState {
  state: 'ringing' | 'answered' | 'ended';
  doing: Doing;
  heard: Heard[];
  endedBecause: string | null;
}
export interface Trouble {
  lateReceiptsMs: number;
  duplicateRate: number;
  reorderRate: number;
  errorRate: number;
  dropAfterEffectRate: number;
  outage: boolean;
}
export const calm: Trouble = {
  lateReceiptsMs: 0,
  duplicateRate: 0,
  reorderRate: 0,
  errorRate: 0,
  dropAfterEffectRate: 0,
  outage: false,
};

/** What the sandbox said instead of an answer; its message is a sentence. */
export class SandboxRefusal extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
  const asForm = body instanceof FormData;
  const answer = await fetch(path, {
    method,
    ...(body !== undefined && { body: asForm ? body : JSON.stringify(body) }),
    ...(body !== undefined && !asForm && { headers: { 'content-type': 'application/json' } }),
  }).catch(() => null);
  if (!answer) throw new SandboxRefusal(0, 'The server cannot be reached.');
  const said = (await answer.json().catch(() => null)) as { message?: string } | null;
  if (!answer.ok)
    throw new SandboxRefusal(
      answer.status,
      said?.message ?? `The sandbox answered ${answer.status}.`,
    );
  return said as T;
}

export const knownNumbers = async (): Promise<Known[]> =>
  (await call<{ data: Known[] }>('GET', '/sandbox/numbers')).data;
/** What the phone sent and received after text `after`, oldest first. */
export const textsOf = (phone: string, after: number): Promise<CarriedText[]> =>
  call('GET', `/sandbox/texts?direction=both&phone=${encodeURIComponent(phone)}&after=${after}`);
export function sendText(
  from: string,
  to: string,
  text: string,
  pictures: readonly File[],
): Promise<unknown> {
  if (pictures.length === 0) return call('POST', '/sandbox/texts', { from, to, text });
  const form = new FormData();
  for (const [name, value] of Object.entries({ from, to, text })) form.append(name, value);
  for (const p of pictures) form.append('media[]', p, p.name);
  return call('POST', '/sandbox/texts', form);
}
export interface CarriedFax {
  id: number;
  from: string;
  to: string;
  pages: number;
  url: string;
  receivedAt: string;
  direction: 'sent' | 'received';
}
/** What this phone, as a fax machine, sent and received after fax `after`, oldest first. */
export const faxesOf = (phone: string, after: number): Promise<CarriedFax[]> =>
  call('GET', `/sandbox/faxes?direction=both&phone=${encodeURIComponent(phone)}&after=${after}`);
export async function sendFax(from: string, to: string, file: File): Promise<unknown> {
  const form = new FormData();
  form.append('from', from);
  form.append('to', to);
  form.append('file', file, file.name);
  return call('POST', '/sandbox/faxes', form);
}
export const callState = (leg: string): Promise<CallState> =>
  call('GET', `/sandbox/calls/${encodeURIComponent(leg)}`);
export const handsetPass = async (number: string): Promise<{ token: string; url: string }> =>
  (
    await call<{ data: { token: string; url: string } }>('POST', '/sandbox/handset/token', {
      number,
    })
  ).data;
export const readTrouble = async (): Promise<Trouble> =>
  (await call<{ data: Trouble }>('GET', '/sandbox/trouble')).data;
export const makeTrouble = async (trouble: Trouble): Promise<Trouble> =>
  (await call<{ data: Trouble }>('PUT', '/sandbox/trouble', trouble)).data;
