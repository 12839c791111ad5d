/**
 * TrustCall of Contact Center Compliance (version 1.5). Verified against its public reference
 * (docs.dncscrub.com) only, not with a live account.
 */
import { z } from 'zod';
import { createHttpClient, parseJson } from '../../platform/http-client/http-client.ts';
import type {
  NumberReputation,
  NumberReputationGateway,
} from '../../gateways/number-reputation.ts';

const word = z.string().nullish();
const Score = z.looseObject({
  Phone: z.string(),
  VerizonScore: word,
  ATTScore: word,
  TMobileScore: word,
  RoboKillerStatus: word,
  NomoroboStatus: word,
});
type Score = z.infer<typeof Score>;

/** Who is asked, as the answer names it and as people know it. */
const sources = [
  ['VerizonScore', 'Verizon'],
  ['ATTScore', 'AT&T'],
  ['TMobileScore', 'T-Mobile'],
  ['RoboKillerStatus', 'RoboKiller'],
  ['NomoroboStatus', 'Nomorobo'],
] as const;

/** Numbers in a request. */
const most = 200;

/** Ten digits; null: not a number of North America, which is all that TrustCall knows. */
const digitsOf = (number: string): string | null => /^\+1(\d{10})$/.exec(number)?.[1] ?? null;

/** Null: nothing is known of the number, which is how one that isn’t watched is answered. */
function flagsOf(score: Score | undefined): string[] | null {
  const said = sources.map(([field]) => score?.[field]?.toLowerCase() ?? '');
  if (!said.some((one) => one === 'clean' || one === 'flagged')) return null;
  return sources.flatMap(([, name], at) => (said[at] === 'flagged' ? [name] : []));
}
/** Whether TrustCall watches it: it has scores, or works on them. */
const isWatched = (score: Score | undefined): boolean =>
  sources.some(([field]) => !!score?.[field]);

/** TrustCall as source of how our numbers are shown. `url` is set by tests. */
export const trustCallReputation = (settings: {
  loginId: string;
  url?: string;
}): NumberReputationGateway => {
  const client = createHttpClient({ target: 'trustcall', totalMs: 30_000 });
  const base = settings.url ?? 'https://dataapi.dncscrub.com';
  const ask = async (path: string, body?: unknown): Promise<unknown> => {
    const answer = await client.request(`${base}/v1.5/TrustCall/${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        loginId: settings.loginId,
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (answer.status === 401 || answer.status === 403)
      throw new Error('TrustCall refuses TRUSTCALL_LOGIN_ID.');
    if (answer.status >= 300) throw new Error(`TrustCall answered ${answer.status}.`);
    return parseJson(answer.body);
  };
  const scores = async (path: string, body?: unknown): Promise<Map<string, Score>> =>
    new Map(
      z
        .array(Score)
        .parse(await ask(path, body))
        .map((score) => [score.Phone, score]),
    );

  return {
    name: 'TrustCall',
    check: async (numbers): Promise<NumberReputation[]> => {
      const known = new Map<string, Score>();
      for (const part of partsOf(numbers)) {
        for (const found of await scores(`Get?phoneList=${part.join(',')}`)) known.set(...found);
        const added = part.filter((digits) => !isWatched(known.get(digits)));
        if (!added.length) continue;
        const body = added.map((Phone) => ({ Phone }));
        for (const found of await scores('Add', body)) known.set(...found);
      }
      return numbers.map((number) => ({
        number,
        flaggedBy: flagsOf(known.get(digitsOf(number) ?? '')),
      }));
    },
    forget: async (numbers) => {
      for (const part of partsOf(numbers)) await ask('Remove', part);
    },
  };
};

/** Numbers that TrustCall knows, as its requests take them. */
function partsOf(numbers: readonly string[]): string[][] {
  const digits = numbers.flatMap((number) => digitsOf(number) ?? []);
  return Array.from({ length: Math.ceil(digits.length / most) }, (_, part) =>
    digits.slice(part * most, (part + 1) * most),
  );
}
