import { z } from 'zod';
import { numberDetail, numberPatch } from '../../numbers/schemas/number.ts';
import { routeType } from './hours.ts';
import { destination, menu, route, routesIn } from './routes.ts';

export const numberWithRoutes = numberDetail.extend({ routes: z.array(route), menu });

export type NumberWithRoutes = z.infer<typeof numberWithRoutes>;

/** What is left out stays as it is. `routes` are all of the number's routes: one that is not named goes. */
export const updateNumberIn = numberPatch.extend({
  routes: routesIn.optional(),
  menu: menu.partial().optional(),
  routingType: routeType
    .optional()
    .meta({ description: 'Shorthand for the type of the first route' }),
  forwardNumber: destination
    .nullable()
    .optional()
    .meta({ description: 'Shorthand for the only destination of the first route; null: none' }),
});
