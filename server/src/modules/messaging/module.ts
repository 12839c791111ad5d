import type { Module } from '../../platform/module.ts';
import { retention } from './retention.ts';

/** What the installation runs of this module. */
export const module: Module = {
  retention,
};
