import { jobs as audio } from './demo-audio.ts';
import { jobs as greetings } from './demo-greetings.ts';

/** Demo jobs of the worker, which take too long for a first start. */
export const jobs = [...audio, ...greetings];
