import { t } from '#ui';

/**
 * The sandbox's HTTP endpoints. They are outside the API and its session, like an outside phone.
 */

export interface CompanyNumber {
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
type CaptionKind = 'say' | 'play' | 'ring' | 'hold' | 'bridge' | 'beep';
export interface Caption {
  at: string;
  kind: CaptionKind;
  what: string;
}
export type CallActivity =
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
  doing: CallActivity;
  heard: Caption[];
  endedBecause: string | null;
}
export interface Faults {
  lateReceiptsMs: number;
  duplicateRate: number;
  reorderRate: number;
  errorRate: number;
  dropAfterEffectRate: number;
  outage: boolean;
}
export const noFaults: Faults = {
  lateReceiptsMs: 0,
  duplicateRate: 0,
  reorderRate: 0,
  errorRate: 0,
  dropAfterEffectRate: 0,
  outage: false,
};

/** An error of the sandbox; its message is a sentence that can be shown. */
class SandboxError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

async function sandboxRequest<T>(method: string, path: string, body?: unknown): Promise<T> {
  const asForm = body instanceof FormData;
  const response = await fetch(path, {
    method,
    ...(body !== undefined && { body: asForm ? body : JSON.stringify(body) }),
    ...(body !== undefined && !asForm && { headers: { 'content-type': 'application/json' } }),
  }).catch(() => null);
  if (!response) throw new SandboxError(0, t('Can’t reach the server.'));
  const answerBody = (await response.json().catch(() => null)) as { message?: string } | null;
  if (!response.ok)
    throw new SandboxError(
      response.status,
      answerBody?.message ??
        t('The sandbox failed with status {status}.', { status: response.status }),
    );
  return answerBody as T;
}

/**
 * The numbers that can be called and texted at the sandbox. Throws when it isn't running, as all
 * requests here do.
 */
export const fetchCompanyNumbers = async (): Promise<CompanyNumber[]> =>
  (await sandboxRequest<{ data: CompanyNumber[] }>('GET', '/sandbox/numbers')).data;
/**
 * What the phone sent, also under the sender it shows, and received after text id `after`, oldest
 * first.
 */
export const fetchTexts = (
  phone: string,
  shows: string | undefined,
  after: number,
): Promise<CarriedText[]> =>
  sandboxRequest(
    'GET',
    `/sandbox/texts?direction=both&phone=${encodeURIComponent(phone)}&after=${after}${
      shows ? `&shownAs=${encodeURIComponent(shows)}` : ''
    }`,
  );
/** Texts one of our numbers from an outside phone, with pictures or without. */
export function sendText(
  from: string,
  to: string,
  text: string,
  pictures: readonly File[],
): Promise<unknown> {
  if (pictures.length === 0) return sandboxRequest('POST', '/sandbox/texts', { from, to, text });
  const form = new FormData();
  for (const [name, value] of Object.entries({ from, to, text })) form.append(name, value);
  for (const p of pictures) form.append('media[]', p, p.name);
  return sandboxRequest('POST', '/sandbox/texts', form);
}
/** The numbers that this phone reported as spam. */
export const fetchSpamReports = async (phone: string): Promise<string[]> =>
  (
    await sandboxRequest<{ data: string[] }>(
      'GET',
      `/sandbox/spam-reports?phone=${encodeURIComponent(phone)}`,
    )
  ).data;
/** Reports one of our numbers as spam from this phone, or withdraws that. */
export const reportSpam = (phone: string, number: string, isSpam: boolean): Promise<unknown> =>
  sandboxRequest('PUT', '/sandbox/spam-reports', { phone, number, isSpam });
export interface CarriedFax {
  id: number;
  from: string;
  to: string;
  pages: number;
  url: string;
  receivedAt: string;
  direction: 'sent' | 'received';
}
/** What the phone sent and received as a fax machine after fax id `after`, oldest first. */
export const fetchFaxes = (phone: string, after: number): Promise<CarriedFax[]> =>
  sandboxRequest(
    'GET',
    `/sandbox/faxes?direction=both&phone=${encodeURIComponent(phone)}&after=${after}`,
  );
/** Faxes a file to one of our numbers from an outside machine. */
export async function sendFax(from: string, to: string, file: File): Promise<unknown> {
  const form = new FormData();
  form.append('from', from);
  form.append('to', to);
  form.append('file', file, file.name);
  return sandboxRequest('POST', '/sandbox/faxes', form);
}
/** The state of a call placed at the sandbox, by the name of its leg. */
export const fetchCallState = (leg: string): Promise<CallState> =>
  sandboxRequest('GET', `/sandbox/calls/${encodeURIComponent(leg)}`);
/** What a handset needs to join the media plane with this number: a token and the address. */
export const fetchHandsetToken = async (number: string): Promise<{ token: string; url: string }> =>
  (
    await sandboxRequest<{ data: { token: string; url: string } }>(
      'POST',
      '/sandbox/handset/token',
      {
        number,
      },
    )
  ).data;
/** The faults that the sandbox simulates. */
export const fetchFaults = async (): Promise<Faults> =>
  (await sandboxRequest<{ data: Faults }>('GET', '/sandbox/faults')).data;
/** Sets the faults that the sandbox simulates, and returns them. */
export const saveFaults = async (faults: Faults): Promise<Faults> =>
  (await sandboxRequest<{ data: Faults }>('PUT', '/sandbox/faults', faults)).data;
