import type { Module } from '../../platform/module.ts';
import { jobs } from './jobs.ts';
import { routes } from './routes.ts';

/** What the installation runs of this module. */
export const module: Module = {
  routes,
  jobs,
};
