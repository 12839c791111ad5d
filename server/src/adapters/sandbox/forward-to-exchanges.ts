import type { FastifyReply, FastifyRequest } from 'fastify';
import { ExchangeClient, type ExchangeAddress, type Exchanges } from './exchanges.ts';

type ById = FastifyRequest<{ Params: { id: string } }>;

/** Forwards what scripts ask of outside phones. Answers 503 while no media process runs. */
export class ForwardToExchanges {
  readonly #client: ExchangeClient;

  constructor(
    private readonly exchanges: Exchanges,
    secret: string,
  ) {
    this.#client = new ExchangeClient(exchanges, secret);
  }

  /** A new call, to the one with the most room. */
  readonly toBest = async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> =>
    this.#forward((await this.exchanges.running())[0], request, reply);

  /** To the exchange that knows the leg; any of them says that it knows none. */
  readonly toLeg = async (request: ById, reply: FastifyReply): Promise<unknown> => {
    const exchange = await this.#client.ofLeg(request.params.id);
    return exchange ? this.#forward(exchange, request, reply) : this.toBest(request, reply);
  };

  /** A list, of what each of them has. */
  readonly toAll = async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const running = await this.exchanges.running();
    if (running.length < 2) return this.#forward(running[0], request, reply);
    const answers = await Promise.all(running.map((one) => this.#send(one, request)));
    const lists = answers.map(async (answer) => (answer ? await answer.body.json() : []));
    return (await Promise.all(lists)).flat();
  };

  close(): Promise<void> {
    return this.#client.close();
  }

  async #forward(
    to: ExchangeAddress | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<unknown> {
    const response = to ? await this.#send(to, request) : null;
    if (response === null)
      return reply.code(503).send({ message: 'The sandbox phone exchange isn’t running.' });
    return reply
      .code(response.statusCode)
      .type('application/json')
      .send(await response.body.text());
  }

  #send(to: ExchangeAddress, request: FastifyRequest) {
    const method = request.method as 'GET' | 'POST';
    const body = method === 'GET' ? undefined : (request.body ?? {});
    return this.#client.send(to.url, method, request.url, body).catch(() => null);
  }
}
