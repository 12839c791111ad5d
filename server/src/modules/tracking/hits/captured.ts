import type { PoolSettings } from '#contract/tracking/pool-schemas';
import { toStorableText } from '../../../platform/http/request-fields.ts';
import { readLanding } from '../classification/read-landing.ts';
import type { Landing } from '../classification/types.ts';

/** Longest value of a parameter or cookie that is kept. */
const MAX_VALUE = 500;

/** The parameters that a pool captures: those of the address, then those that the page names. */
export function capturedParams(
  landing: Landing,
  said: Readonly<Record<string, string>>,
  { captureParams }: PoolSettings,
): Record<string, string> {
  const { parameters } = readLanding(landing);
  return only(captureParams, (name) => parameters.get(name.toLowerCase())?.value || said[name]);
}

/**
 * The cookies that a pool captures. None where visitors stay anonymous: a cookie can name them.
 */
export const capturedCookies = (
  said: Readonly<Record<string, string>>,
  settings: PoolSettings,
): Record<string, string> => only(cookieNames(settings), (name) => said[name]);

/** Names of the cookies that pages of a pool send. */
export const cookieNames = ({ captureCookies, consentMode }: PoolSettings): string[] =>
  consentMode === 'anonymous' ? [] : captureCookies;

const only = (
  names: readonly string[],
  valueOf: (name: string) => string | undefined,
): Record<string, string> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = toStorableText(valueOf(name) ?? '').slice(0, MAX_VALUE);
      return value ? [[name, value]] : [];
    }),
  );
