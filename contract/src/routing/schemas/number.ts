import { z } from 'zod';
import { numberDetail, numberPatch } from '../../numbers/schemas/number.ts';
import { id } from '../../schemas.ts';
import { routeType } from './hours.ts';
import { destination, menu, route, routesIn } from './routes.ts';

export const numberWithRoutes = numberDetail.extend({
  routes: z.array(route),
  menu,
  excluded_users: z.array(z.object({ id, name: z.string() })).meta({
    description:
      'Users that its routes name, who are limited to other numbers and therefore aren’t rung',
  }),
});

export type NumberWithRoutes = z.infer<typeof numberWithRoutes>;

/** Absent fields are unchanged. `routes` replaces all routes of the number. */
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
