import { systemCtx } from '../../src/platform/context.ts';
import type { TestApp } from './test-app.ts';
import { provisionNumber } from '../../src/modules/numbers/index.ts';

/** A number for tests of routing, inserted without buying it. */
export const insertTestNumber = (
  app: TestApp,
  companyId: number,
  number: string,
): Promise<number> =>
  systemCtx(app.services, companyId, app.notifier).transaction((ctx) =>
    provisionNumber(ctx, { number }),
  );
