import { archive as contract } from '#contract';
import { defineRoutes } from '../../platform/routes.ts';

export const routes = defineRoutes(contract, {});
