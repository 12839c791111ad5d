import type { Module } from '../../platform/module.ts';
import { mergeRoutes } from '../../platform/routes.ts';
import { jobs as importJobs } from './importing/jobs.ts';
import { routes as importAnswers } from './importing/routes.ts';
import { jobs as contactJobs } from './jobs.ts';
import { retention } from './retention.ts';
import { routes as contactAnswers } from './routes.ts';
import { subscribers } from './subscribers.ts';

/** What the installation runs of this module. */
export const module: Module = {
  routes: mergeRoutes(contactAnswers, importAnswers),
  jobs: [...contactJobs, ...importJobs],
  subscribers,
  retention,
};
