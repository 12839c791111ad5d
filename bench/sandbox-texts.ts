import type { Pool } from 'undici';
import { signatureHeader, signWebhook } from '../server/src/exchange/protocol.ts';

export interface SignedPost {
  body: string;
  headers: Record<string, string>;
}
/** What the sandbox carrier says, signed as it signs. */
export function signedPost(said: object, secret: string): SignedPost {
  const body = JSON.stringify(said);
  return {
    body,
    headers: { 'content-type': 'application/json', [signatureHeader]: signWebhook(body, secret) },
  };
}

/** A text that comes in, as the sandbox carrier posts it. */
export const signedText = (
  text: { id: string; from: string; to: string; text: string },
  secret: string,
): SignedPost => signedPost({ texts: [{ ...text, at: Date.now(), media: [] }] }, secret);

/** Rejects unless it is accepted. */
export async function postSigned(pool: Pool, path: string, post: SignedPost): Promise<void> {
  const answer = await pool.request({ method: 'POST', path, ...post });
  await answer.body.dump();
  if (answer.statusCode >= 300) throw new Error(`${path} answered ${answer.statusCode}`);
}
