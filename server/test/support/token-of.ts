import type { Answer, identity } from '#contract';

/** The tokens of a sign-in that needed no second factor. */
export function tokenOf(answer: Answer<typeof identity.login>) {
  if ('token' in answer) return answer.token;
  throw new Error('the sign-in waits for a second factor');
}
