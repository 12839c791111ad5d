import type { Module } from '../../platform/module.ts';
import { jobs } from './jobs.ts';
import { retention } from './retention.ts';
import { routes } from './routes.ts';
import { subscribers } from './subscribers.ts';

/** What the installation runs of this module. */
export const module: Module = { routes, subscribers, jobs, retention };
