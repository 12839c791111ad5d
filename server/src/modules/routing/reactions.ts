import { numbers } from '#contract';
import { on } from '../../platform/relay.ts';
import { routeNewNumber } from './route-new-number.ts';

export const reactions = [on(numbers.numberPurchased, 'routeNewNumber', (ctx, { numberId }) => routeNewNumber(ctx, numberId))];
