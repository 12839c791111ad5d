import type { OutboundAnswer, OutboundRequest } from '../../../gateways/outbound.ts';
import type { Ctx } from '../../../platform/context.ts';
import { withoutCredentials } from '../deliveries/without-credentials.ts';
import { askWithConnection, ConnectionUnusableError } from '../../connections/index.ts';

type AccountAnswer =
  | { unusable: null; answer: OutboundAnswer }
  /** There was no token to ask with. */
  | { unusable: ConnectionUnusableError['code'] };

/**
 * Sends a request with a connected account's token. One that isn't taken is renewed and tried once
 * more; how it went is the account's health. Throws only what is unexpected.
 * @param ctx outside a transaction
 * @param isUnauthorized whether an answer says that the token isn't taken, besides 401
 */
export async function sendWithAccount(
  ctx: Ctx,
  connectionId: number,
  request: OutboundRequest,
  isUnauthorized: (answer: OutboundAnswer) => boolean = () => false,
): Promise<AccountAnswer> {
  try {
    const { answer } = await askWithConnection(ctx, connectionId, async (token) => {
      const headers = { ...request.headers, authorization: `Bearer ${token}` };
      const reply = await ctx.gateways.outbound.send({ ...request, headers });
      // The account's health is told by what is thrown.
      if (reply.status === null) throw new NoAnswer(reply.error);
      const answer = withoutCredentials(reply, { ...request, headers });
      return { status: isUnauthorized(reply) ? 401 : reply.status, answer };
    });
    return { unusable: null, answer };
  } catch (error) {
    if (error instanceof NoAnswer)
      return { unusable: null, answer: { status: null, error: error.message } };
    if (error instanceof ConnectionUnusableError) return { unusable: error.code };
    throw error;
  }
}

class NoAnswer extends Error {
  override name = 'NoAnswer';
}
