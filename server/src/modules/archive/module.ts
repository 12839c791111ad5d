import type { Module } from '../../platform/module.ts';
import { mergeRoutes } from '../../platform/routes.ts';
import { jobs as erasingJobs } from './erasing/jobs.ts';
import { routes as erasingRoutes } from './erasing/routes.ts';
import { jobs as fieldUpdateJobs } from './field-updates/jobs.ts';
import { routes as fieldUpdateRoutes } from './field-updates/routes.ts';
import { jobs as companyImportJobs } from './company-imports/jobs.ts';
import { routes as companyImportRoutes } from './company-imports/routes.ts';
import { jobs } from './jobs.ts';
import { jobs as ownAccountJobs } from './own-account/jobs.ts';
import { routes as ownAccountRoutes } from './own-account/routes.ts';
import { retention } from './retention.ts';
import { routes } from './routes.ts';

/** What the installation runs of this module. */
export const module: Module = {
  routes: mergeRoutes(
    routes,
    fieldUpdateRoutes,
    erasingRoutes,
    companyImportRoutes,
    ownAccountRoutes,
  ),
  jobs: [...jobs, ...fieldUpdateJobs, ...erasingJobs, ...companyImportJobs, ...ownAccountJobs],
  retention,
};
