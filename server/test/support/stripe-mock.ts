import { createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a person enters at the page: Stripe's test cards behave by their number. */
export type EnteredCard = 'pays' | 'declines' | 'confirms';

interface Session {
  id: string;
  client_reference_id: string;
  customer: string | null;
  success_url: string;
  status: 'open' | 'complete';
  method: string | null;
}
interface Payment {
  id: string;
  amount: number;
  customer: string;
  method: string;
  status: 'succeeded' | 'requires_action' | 'requires_payment_method' | 'canceled';
  metadata: Record<string, string>;
  refunded: number;
  error: { code: string; message: string } | null;
}
interface Answer {
  status: number;
  body: object;
}

const secret = 'whsec_standin';

/**
 * A stand-in for the part of Stripe's API that we use, with its rules: idempotency keys replay the
 * first answer, a card that asks the bank can't be charged while the person is away, a refund is at
 * most what was charged, and what is unknown is 404. It answers unknown parameters with 400, so that
 * a request it doesn't know fails here and not at Stripe.
 */
export class StripeMock {
  readonly secretKey = 'sk_test_standin';
  readonly webhookSecret = secret;
  readonly requests: { path: string; body: URLSearchParams; key: string | null }[] = [];
  readonly payments = new Map<string, Payment>();
  /** The next so many requests are answered with nothing: the connection ends. */
  cutNext = 0;
  /** The next so many are done, and their answer is lost. */
  loseNext = 0;
  private readonly sessions = new Map<string, Session>();
  private readonly answers = new Map<string, Answer>();
  private readonly server = createServer(
    (request, response) => void this.answer(request, response),
  );

  static async start(): Promise<StripeMock> {
    const mock = new StripeMock();
    mock.server.listen(0, '127.0.0.1');
    await once(mock.server, 'listening');
    return mock;
  }
  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }
  get env(): Record<string, string> {
    return {
      BILLING: 'stripe',
      STRIPE_SECRET_KEY: this.secretKey,
      STRIPE_WEBHOOK_SECRET: secret,
      STRIPE_API_URL: this.url,
    };
  }
  stop = (): Promise<unknown> => {
    this.server.closeAllConnections();
    return new Promise((done) => this.server.close(done));
  };

  /** A person enters a card at the page. Returns the token that the page leads back with. */
  enterCard(pageUrl: string, card: EnteredCard): { token: string; leadsTo: string } {
    const id = pageUrl.split('/').at(-1) ?? '';
    const session = this.sessions.get(id);
    if (!session) throw new Error(`No session ${id}.`);
    session.status = 'complete';
    session.customer ??= `cus_${randomUUID().slice(0, 8)}`;
    session.method = `pm_${card}_${randomUUID().slice(0, 8)}`;
    return { token: id, leadsTo: session.success_url.replace('{CHECKOUT_SESSION_ID}', id) };
  }

  /** The person answers their bank. */
  answerBank(reference: string, approves: boolean): void {
    const payment = this.payments.get(reference);
    if (payment?.status !== 'requires_action') throw new Error(`${reference} doesn't wait.`);
    payment.status = approves ? 'succeeded' : 'requires_payment_method';
    if (!approves)
      payment.error = {
        code: 'payment_intent_authentication_failure',
        message: 'The provided payment method has failed authentication.',
      };
  }

  /** A report as Stripe sends it, signed at a time (seconds). */
  report(
    type: string,
    object: object,
    at = Math.floor(Date.now() / 1000),
    by = secret,
  ): { body: string; signature: string } {
    const body = JSON.stringify({
      ...{ id: `evt_${randomUUID().slice(0, 8)}`, object: 'event', type, created: at },
      data: { object },
    });
    const signed = createHmac('sha256', by).update(`${at}.${body}`).digest('hex');
    return { body, signature: `t=${at},v1=${signed}` };
  }
  /** A payment as Stripe presents it. */
  present = (p: Payment): object => ({
    ...{ id: p.id, object: 'payment_intent', amount: p.amount, status: p.status },
    ...{ customer: p.customer, payment_method: p.method, metadata: p.metadata },
    last_payment_error: p.error,
    next_action:
      p.status === 'requires_action'
        ? {
            type: 'redirect_to_url',
            redirect_to_url: { url: `https://hooks.stripe.example/3ds/${p.id}` },
          }
        : null,
  });

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const url = new URL(request.url ?? '/', 'http://stripe');
    const body = new URLSearchParams(Buffer.concat(chunks).toString());
    const key = (request.headers['idempotency-key'] as string | undefined) ?? null;
    if (this.cutNext > 0) {
      this.cutNext--;
      request.socket.destroy();
      return;
    }
    this.requests.push({ path: url.pathname, body, key });
    const isOurs = request.headers.authorization === `Bearer ${this.secretKey}`;
    const before = key && request.method === 'POST' ? this.answers.get(key) : undefined;
    const { status, body: answer } = !isOurs
      ? failure(401, 'invalid_request_error', 'Invalid API Key provided.')
      : (before ?? this.act(request.method ?? 'GET', url, body));
    if (key && !before) this.answers.set(key, { status, body: answer });
    if (this.loseNext > 0) {
      this.loseNext--;
      request.socket.destroy();
      return;
    }
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer));
  }

  private act(method: string, url: URL, body: URLSearchParams): Answer {
    const [, , kind = '', ...rest] = url.pathname.split('/');
    const route = `${method} ${kind}${rest.length > 0 ? `/${rest.join('/')}` : ''}`;
    if (route === 'POST checkout/sessions') return this.openSession(body);
    if (method === 'GET' && kind === 'checkout') return this.readSession(rest[1] ?? '', url);
    if (route === 'POST payment_intents') return this.pay(body);
    if (route === 'GET payment_intents/search') return this.search(url);
    if (kind === 'payment_intents') return this.change(method, rest, body);
    if (route === 'POST refunds') return this.refund(body);
    return failure(404, 'invalid_request_error', `Unrecognized request URL (${route}).`);
  }

  private openSession(body: URLSearchParams): Answer {
    const strange = unknownIn(body, [
      ...['mode', 'allowed_payment_method_types[0]', 'client_reference_id', 'customer'],
      ...['customer_creation', 'success_url', 'cancel_url'],
    ]);
    if (strange) return strange;
    const customer = body.get('customer');
    if (customer && !customer.startsWith('cus_')) return missing('customer', customer);
    const id = `cs_test_${randomUUID().replaceAll('-', '')}`;
    const session: Session = {
      ...{ id, status: 'open', method: null, customer },
      client_reference_id: body.get('client_reference_id') ?? '',
      success_url: body.get('success_url') ?? '',
    };
    this.sessions.set(id, session);
    return done({
      ...{ id, object: 'checkout.session', status: 'open' },
      url: `https://checkout.stripe.example/c/pay/${id}`,
      expires_at: Math.floor(Date.now() / 1000) + 86_400,
    });
  }

  private readSession(id: string, url: URL): Answer {
    const session = this.sessions.get(id);
    if (!session) return missing('checkout.session', id);
    const isExpanded = url.searchParams.get('expand[0]') === 'setup_intent.payment_method';
    const card = { brand: 'visa', last4: '4242', exp_month: 9, exp_year: 2031 };
    const method = session.method && {
      ...{ id: session.method, object: 'payment_method', type: 'card', card },
    };
    return done({
      ...session,
      object: 'checkout.session',
      setup_intent: isExpanded
        ? { id: 'seti_1', object: 'setup_intent', payment_method: method }
        : 'seti_1',
    });
  }

  private pay(body: URLSearchParams): Answer {
    const strange = unknownIn(body, [
      ...['amount', 'currency', 'customer', 'payment_method', 'allowed_payment_method_types[0]'],
      ...['off_session', 'confirm', 'metadata[key]'],
    ]);
    if (strange) return strange;
    const amount = Number(body.get('amount'));
    if (!(amount >= 50))
      return failure(400, 'invalid_request_error', 'Amount must be at least $0.50 usd', {
        code: 'amount_too_small',
      });
    const method = body.get('payment_method') ?? '';
    if (!method.startsWith('pm_')) return missing('payment_method', method);
    const payment: Payment = {
      ...{ id: `pi_${randomUUID().slice(0, 12)}`, amount, method, refunded: 0, error: null },
      ...{ customer: body.get('customer') ?? '', status: 'succeeded' },
      metadata: { key: body.get('metadata[key]') ?? '' },
    };
    this.payments.set(payment.id, payment);
    if (method.startsWith('pm_pays')) return done(this.present(payment));
    payment.status = 'requires_payment_method';
    payment.error = method.startsWith('pm_confirms')
      ? { code: 'authentication_required', message: 'Your card was declined.' }
      : { code: 'card_declined', message: 'Your card has insufficient funds.' };
    return failure(402, 'card_error', payment.error.message, {
      code: payment.error.code,
      payment_intent: this.present(payment),
    });
  }

  private search(url: URL): Answer {
    const name = /^metadata\['key'\]:'([^']+)'$/.exec(url.searchParams.get('query') ?? '')?.[1];
    const found = [...this.payments.values()].filter(({ metadata }) => metadata['key'] === name);
    return done({ object: 'search_result', data: found.slice(0, 1).map(this.present) });
  }

  private change(method: string, [id = '', act]: string[], body: URLSearchParams): Answer {
    const payment = this.payments.get(id);
    if (!payment) return missing('payment_intent', id);
    if (method === 'GET') return done(this.present(payment));
    if (act === 'cancel') payment.status = 'canceled';
    else if (act === 'confirm') {
      const strange = unknownIn(body, ['payment_method', 'return_url']);
      if (strange) return strange;
      payment.status = 'requires_action';
    } else return failure(404, 'invalid_request_error', 'Unrecognized request URL.');
    return done(this.present(payment));
  }

  private refund(body: URLSearchParams): Answer {
    const strange = unknownIn(body, ['payment_intent', 'amount', 'metadata[key]']);
    if (strange) return strange;
    const payment = this.payments.get(body.get('payment_intent') ?? '');
    if (!payment) return missing('payment_intent', body.get('payment_intent') ?? '');
    const amount = Number(body.get('amount'));
    if (amount > payment.amount - payment.refunded)
      return failure(
        400,
        'invalid_request_error',
        `Refund amount ($${(amount / 100).toFixed(2)}) is greater than charge amount.`,
      );
    payment.refunded += amount;
    return done({ id: `re_${randomUUID().slice(0, 8)}`, object: 'refund', status: 'succeeded' });
  }
}

const done = (body: object): Answer => ({ status: 200, body });
const failure = (status: number, type: string, message: string, more: object = {}): Answer => ({
  status,
  body: { error: { type, message, ...more } },
});
const missing = (what: string, id: string): Answer =>
  failure(404, 'invalid_request_error', `No such ${what}: '${id}'`, { code: 'resource_missing' });
/** As Stripe answers parameters it doesn't have; null: all are known. */
function unknownIn(body: URLSearchParams, known: readonly string[]): Answer | null {
  const strange = [...body.keys()].find((name) => !known.includes(name));
  return strange
    ? failure(400, 'invalid_request_error', `Received unknown parameter: ${strange}`, {
        code: 'parameter_unknown',
      })
    : null;
}
