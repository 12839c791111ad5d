/** Events of the exchange. */
export type MediaEvent =
  | { type: 'joined'; session: string; ringing: string[] }
  | { type: 'ring'; leg: string; from: string; to: string; callerName: string | null }
  | { type: 'answered'; leg: string }
  | { type: 'held'; leg: string; on: boolean }
  | { type: 'keys'; leg: string; digits: string }
  | { type: 'heard'; leg: string; kind: string; what: string }
  | { type: 'ended'; leg: string; because: string }
  | { type: 'ping' };

/** An error of the exchange, with its sentence. */
export class PhoneError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** The events of a join response, one JSON object per line. */
async function* readJsonLines(body: ReadableStream<Uint8Array>): AsyncGenerator<MediaEvent> {
  const reader = body
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const parts = (rest + value).split('\n');
    rest = parts.pop() ?? '';
    for (const part of parts) if (part !== '') yield JSON.parse(part) as MediaEvent;
  }
}

/** The sentence of an error response. */
async function errorText(response: Response): Promise<string> {
  const body = (await response.json().catch(() => null)) as { message?: string } | null;
  return body?.message ?? `The phone was answered ${response.status}.`;
}

/**
 * The exchange sends something every ten seconds; a connection silent for more than two of those
 * intervals is closed.
 */
const silenceTimeoutMs = 25_000;

const postJson = (url: string, body: object, signal?: AbortSignal): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  });

/**
 * Joins and receives events until the stream ends, is aborted or is silent for too long. Throws
 * PhoneError when the exchange refuses the token.
 */
async function receiveEvents(
  url: string,
  credentials: () => Promise<{ token: string; resume: string | null }>,
  stream: AbortController,
  onEvent: (event: MediaEvent) => void,
): Promise<void> {
  const stop = (): void => stream.abort();
  let silence = setTimeout(stop, silenceTimeoutMs);
  try {
    const response = await postJson(`${url}/join`, await credentials(), stream.signal);
    if (!response.ok || !response.body)
      throw new PhoneError(response.status, await errorText(response));
    for await (const event of readJsonLines(response.body)) {
      clearTimeout(silence);
      silence = setTimeout(stop, silenceTimeoutMs);
      onEvent(event);
    }
  } finally {
    clearTimeout(silence);
  }
}

interface JoinOptions {
  url: string;
  /** Asked before each join. `resume`: the session to continue; null: a new one. */
  credentials: () => Promise<{ token: string; resume: string | null }>;
  onJoining: () => void;
  /** Receives each connection; aborting it joins again. */
  onStream: (stream: AbortController) => void;
  onEvent: (event: MediaEvent) => void;
  /** The token was refused; no further attempt follows. */
  onRefused: (error: PhoneError) => void;
}

/** Joins again whenever the connection is lost, until `left` is aborted or the token refused. */
export async function stayJoined(left: AbortSignal, options: JoinOptions): Promise<void> {
  let waitMs = 250;
  while (!left.aborted) {
    options.onJoining();
    // A lost network does not end the stream.
    const stream = new AbortController();
    options.onStream(stream);
    const stop = (): void => stream.abort();
    left.addEventListener('abort', stop);
    try {
      await receiveEvents(options.url, options.credentials, stream, (event) => {
        if (event.type === 'joined') waitMs = 250;
        options.onEvent(event);
      });
    } catch (error) {
      if (left.aborted) return;
      // A refused token would be refused again: stop, so that the page signs in again.
      if (error instanceof PhoneError && (error.status === 401 || error.status === 403))
        return options.onRefused(error);
    } finally {
      left.removeEventListener('abort', stop);
    }
    if (left.aborted) return;
    options.onJoining();
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    waitMs = Math.min(waitMs * 2, 5000);
  }
}

/** Sends a command of a joined phone. Throws PhoneError when the exchange refuses it. */
export async function sendCommand<Answer>(
  url: string,
  session: string | null,
  verb: string,
  body: object,
): Promise<Answer> {
  if (!session) throw new PhoneError(0, 'The phone is not connected.');
  const response = await postJson(`${url}/${session}/${verb}`, body);
  if (!response.ok) throw new PhoneError(response.status, await errorText(response));
  return (await response.json()) as Answer;
}
