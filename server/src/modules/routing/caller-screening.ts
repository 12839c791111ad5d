import type { TxCtx } from '../../platform/context.ts';

/** What a company's screening does with a caller. */
export interface CallerScreening {
  /** Why they are rejected; null: they aren't. */
  blocked: string | null;
  /** They have to press 1 before anyone is rung. */
  pressOne: boolean;
}
type Screen = (ctx: TxCtx, party: string) => Promise<CallerScreening>;

let provider: Screen | null = null;

/**
 * Registers the function that screens callers by their earlier calls. Its module depends on
 * routing, so routing cannot import it. Without one, everyone gets through.
 */
export function provideCallerScreening(screen: Screen): void {
  provider = screen;
}

/** What screening would do with this caller now (E.164, or `anonymous`). */
export const screeningOf: Screen = (ctx, party) =>
  provider?.(ctx, party) ?? Promise.resolve({ blocked: null, pressOne: false });
