import { jobs as audio } from './demo-audio.ts';
import { jobs as greetings } from './demo-greetings.ts';

/** What the demo world leaves to a worker because it takes too long for a first start. */
export const jobs = [...audio, ...greetings];
