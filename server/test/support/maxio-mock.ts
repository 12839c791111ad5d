import { createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** What a person enters in the fields of Chargify.js. */
type EnteredCard = 'pays' | 'declines';
interface Invoice {
  uid: string;
  subscription_id: number;
  status: 'open' | 'paid' | 'voided';
  memo: string;
  total: number;
  paid: { transaction_id: number; memo: string; amount: number; profile: number }[];
  refunds: { memo: string; amount: number }[];
}
interface Answer {
  status: number;
  body: object;
}
type Fields = Record<string, unknown>;

const sharedKey = 'shared-standin';
const money = (cents: number): string => (cents / 100).toFixed(2);
const cents = (amount: unknown): number => Math.round(Number(amount) * 100);
const refused = (...errors: string[]): Answer => ({ status: 422, body: { errors } });
const missing: Answer = { status: 404, body: {} };

/** Names that the published schemas have for each body; another one is an error of ours. */
const known: Record<string, readonly string[]> = {
  customer: ['first_name', 'last_name', 'email', 'organization', 'reference'],
  subscription: ['product_handle', 'customer_id', 'reference', 'receives_invoice_emails'],
  payment_profile: ['chargify_token', 'customer_id'],
  invoice: ['line_items', 'memo'],
  payment: ['amount', 'memo', 'payment_profile_id'],
  refund: ['amount', 'memo', 'payment_id', 'external', 'apply_credit', 'void_invoice'],
  void: ['reason'],
};

/**
 * A stand-in for the part of Maxio's API that we use, with its rules: a reference is unique, a token
 * is used once, no more is paid than is due and no more refunded than was paid, and an invoice that
 * is paid can't be voided. It knows no idempotency keys.
 */
export class MaxioMock {
  readonly requests: { method: string; address: string; body: string }[] = [];
  readonly invoices: Invoice[] = [];
  /** The next so many requests are answered with nothing. */
  cutNext = 0;
  /** The next change whose address ends so is made, and its answer is lost. Empty: none. */
  loseNext = '';
  /** The next so many are turned away unread. */
  turnAwayNext = 0;
  /** What the free product costs, and what the site adds as tax, in cents. */
  price = 0;
  tax = 0;
  private readonly customers = new Map<string, number>();
  private readonly subscriptions = new Map<string, number>();
  private readonly tokens = new Map<string, EnteredCard>();
  private readonly profiles = new Map<number, EnteredCard>();
  private ids = 1000;
  private readonly server = createServer(
    (request, response) => void this.answer(request, response),
  );

  static async start(): Promise<MaxioMock> {
    const mock = new MaxioMock();
    mock.server.listen(0, '127.0.0.1');
    await once(mock.server, 'listening');
    return mock;
  }
  get env(): Record<string, string> {
    return {
      BILLING: 'maxio',
      MAXIO_SITE: 'acme',
      MAXIO_API_KEY: 'key-standin',
      MAXIO_JS_PUBLIC_KEY: 'chjs_standin',
      MAXIO_JS_PRIVATE_KEY: 'chjs_pvt_standin',
      MAXIO_SHARED_KEY: sharedKey,
      MAXIO_API_URL: `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`,
    };
  }
  stop = (): Promise<unknown> => {
    this.server.closeAllConnections();
    return new Promise((done) => this.server.close(done));
  };

  /** A person enters a card in the fields; the token that they give. */
  enterCard(card: EnteredCard): string {
    const token = `tok_${randomUUID().replaceAll('-', '')}`;
    this.tokens.set(token, card);
    return token;
  }
  /** A report as Maxio sends it, signed. */
  report(event: string, invoice: Invoice, by = sharedKey) {
    const body = new URLSearchParams({
      ...{ id: '141765008', event, 'payload[event_id]': '347299364' },
      'payload[transaction][memo]': invoice.memo,
    }).toString();
    return { body, signature: createHmac('sha256', by).update(body).digest('hex') };
  }
  private present = ({ uid, subscription_id, status, memo, total, paid, refunds }: Invoice) => {
    const done = paid.reduce((sum, { amount }) => sum + amount, 0);
    return {
      ...{ uid, subscription_id, status, memo, currency: 'USD', total_amount: money(total) },
      due_amount: money(total - done),
      payments: paid.map(({ transaction_id, memo: of }) => ({ transaction_id, memo: of })),
      refunds: refunds.map(({ memo: of, amount }) => ({
        memo: of,
        original_amount: money(amount),
      })),
    };
  };

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    if (this.cutNext > 0) {
      this.cutNext--;
      request.socket.destroy();
      return;
    }
    const isOurs =
      request.headers.authorization === `Basic ${Buffer.from('key-standin:x').toString('base64')}`;
    const [method, address] = [request.method ?? '', request.url ?? ''];
    let made: Answer = { status: 401, body: {} };
    if (this.turnAwayNext > 0) {
      this.turnAwayNext--;
      made = { status: 429, body: { errors: ['Too many requests'] } };
    } else if (isOurs) {
      this.requests.push({ method, address, body: text });
      // Real answers take a while, in which someone else can ask.
      await pause(5);
      made = this.decide(method, new URL(address, 'http://maxio'), text);
    }
    if (method === 'POST' && this.loseNext && address.endsWith(this.loseNext)) {
      this.loseNext = '';
      request.socket.destroy();
      return;
    }
    response.writeHead(made.status, { 'content-type': 'application/json', 'retry-after': '0' });
    response.end(JSON.stringify(made.body));
  }

  private decide(
    method: string,
    { pathname: path, searchParams: query }: URL,
    text: string,
  ): Answer {
    const body = (text ? JSON.parse(text) : {}) as Record<string, Fields>;
    for (const [name, fields] of Object.entries(body))
      if (name !== 'type' && Object.keys(fields).some((field) => !known[name]?.includes(field)))
        return { status: 500, body: { unknown: body } };
    const reference = query.get('reference') ?? '';
    if (path === '/customers/lookup.json')
      return this.named('customer', this.customers.get(reference));
    if (path === '/subscriptions/lookup.json')
      return this.named('subscription', this.subscriptions.get(reference));
    if (path === '/customers.json')
      return this.make('customer', this.customers, body['customer'] ?? {});
    if (path === '/subscriptions.json')
      return this.make('subscription', this.subscriptions, body['subscription'] ?? {});
    if (path === '/products/handle/trunkline.json')
      return { status: 200, body: { product: { price_in_cents: this.price } } };
    if (path === '/payment_profiles.json') return this.keepCard(body['payment_profile'] ?? {});
    return this.ofInvoices(method, path, query, body);
  }
  private named = (name: string, id: number | undefined): Answer =>
    id === undefined ? missing : { status: 200, body: { [name]: { id } } };
  private make(name: string, all: Map<string, number>, fields: Fields): Answer {
    const reference = String(fields['reference']);
    if (all.has(reference))
      return refused('Reference: must be unique - that value has been taken.');
    all.set(reference, ++this.ids);
    return { status: 201, body: { [name]: { id: this.ids } } };
  }
  private keepCard({ chargify_token: token }: Fields): Answer {
    const card = this.tokens.get(String(token));
    if (!card) return refused('Chargify token not found');
    this.tokens.delete(String(token));
    this.profiles.set(++this.ids, card);
    const shown = { card_type: 'visa', masked_card_number: 'XXXX-XXXX-XXXX-1111' };
    const expires = { expiration_month: 9, expiration_year: 2031 };
    return { status: 201, body: { payment_profile: { id: this.ids, ...shown, ...expires } } };
  }
  private ofInvoices(
    method: string,
    path: string,
    query: URLSearchParams,
    body: Record<string, Fields>,
  ): Answer {
    if (path === '/invoices.json') {
      const all = this.invoices.filter(
        (one) => String(one.subscription_id) === query.get('subscription_id'),
      );
      const invoices = query.get('page') === '1' ? all.map(this.present).reverse() : [];
      return { status: 200, body: { invoices } };
    }
    const [, subscription] = /^\/subscriptions\/(\d+)\/invoices\.json$/.exec(path) ?? [];
    if (subscription && method === 'POST') {
      const { memo, line_items: lines } = body['invoice'] ?? {};
      const [line] = lines as { quantity: number; unit_price: string }[];
      this.invoices.push({
        uid: `inv_${randomUUID().slice(0, 13).replace('-', '')}`,
        ...{ subscription_id: Number(subscription), status: 'open', memo: String(memo) },
        ...{ total: cents(line?.unit_price) + this.tax, paid: [], refunds: [] },
      });
      return { status: 201, body: { invoice: this.present(this.invoices.at(-1)!) } };
    }
    const [, uid, action] = /^\/invoices\/(\w+)(?:\/(\w+))?\.json$/.exec(path) ?? [];
    const invoice = this.invoices.find((one) => one.uid === uid);
    if (!invoice) return missing;
    return action ? this.act(invoice, action, body) : { status: 200, body: this.present(invoice) };
  }
  private act(invoice: Invoice, action: string, body: Record<string, Fields>): Answer {
    if (action === 'void') {
      if (invoice.status !== 'open') return refused("Invoice status must be 'open' to be voided.");
      invoice.status = 'voided';
    } else if (action === 'payments') {
      const { amount, memo, payment_profile_id: profile } = body['payment'] ?? {};
      if (invoice.status !== 'open')
        return refused('Invoice must be open or in collections to apply payment');
      if (this.profiles.get(Number(profile)) !== 'pays')
        return refused('Your card has insufficient funds.');
      invoice.paid.push({
        ...{ transaction_id: ++this.ids, memo: String(memo), amount: cents(amount) },
        profile: Number(profile),
      });
      invoice.status = 'paid';
    } else {
      const { amount, memo } = body['refund'] ?? {};
      const before = invoice.refunds.reduce((sum, one) => sum + one.amount, 0);
      if (before + cents(amount) > invoice.total)
        return refused('Amount: must be less than or equal to the refundable amount.');
      invoice.refunds.push({ memo: String(memo), amount: cents(amount) });
    }
    return { status: 200, body: this.present(invoice) };
  }
}
