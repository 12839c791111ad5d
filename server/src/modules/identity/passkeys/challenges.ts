import type { Ctx } from '../../../platform/context.ts';
import { fail } from '../../../platform/errors.ts';
import { hashToken } from '../../../platform/secrets.ts';
import { CHALLENGE_MINUTES, challengeIn } from './rules.ts';
import { insertChallenge, takeChallenge, type ChallengePurpose } from './store.ts';

// The system role: people, sign-in codes and sessions belong to no company.

/** Keeps a challenge until it is answered, at most five minutes. `personId` null: for anyone. */
export const keepChallenge = (
  ctx: Ctx,
  purpose: ChallengePurpose,
  challenge: string,
  personId: number | null,
) =>
  ctx.db.systemTransaction((tx) =>
    insertChallenge(tx, {
      hash: hashToken(challenge),
      purpose,
      person_id: personId,
      expires_at: new Date(ctx.now.getTime() + CHALLENGE_MINUTES * 60_000),
    }),
  );

/**
 * The challenge of an answer, used up whether or not the rest of the answer is right.
 * Fails with `passkey.refused` when it isn't one of ours, was used, or has expired.
 */
export async function consumeChallenge(
  ctx: Ctx,
  purpose: ChallengePurpose,
  clientDataJSON: string,
): Promise<{ challenge: string; personId: number | null }> {
  const challenge = challengeIn(clientDataJSON) ?? fail('passkey.refused');
  const kept = await ctx.db.systemTransaction((tx) =>
    takeChallenge(tx, hashToken(challenge), purpose, ctx.now),
  );
  if (!kept) fail('passkey.refused');
  return { challenge, personId: kept.person_id };
}
