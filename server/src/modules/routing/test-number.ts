import { systemCtx } from '../../platform/context.ts';
import type { World } from '../../../test/world.ts';
import { installNumber } from '../numbers/index.ts';

/** A number for tests of routing, put in place without buying: buying is another room's promise. */
export const insertTestNumber = (
  world: World,
  companyId: number,
  number: string,
): Promise<number> =>
  systemCtx(world.house, companyId, world.said).transaction((ctx) =>
    installNumber(ctx, { number }),
  );
