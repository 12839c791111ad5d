import { greetings as contract } from '#contract';
import { defineRoutes, withoutTransaction } from '../../../platform/routes.ts';
import { addGreeting } from './add-greeting.ts';
import { deleteGreeting } from './delete-greeting.ts';
import { getGreeting, listGreetings } from './list-greetings.ts';
import { listVoices, voiceSample } from './list-voices.ts';
import { speakGreeting } from './speak-greeting.ts';
import { updateGreeting } from './update-greeting.ts';

export const routes = defineRoutes(contract, {
  listGreetings: (ctx, { query }) => listGreetings(ctx, query),
  listVoices: withoutTransaction((ctx) => listVoices(ctx)),
  voiceSample: withoutTransaction((ctx, { params }, http) => voiceSample(ctx, params.voice, http)),
  getGreeting: (ctx, { params }) => getGreeting(ctx, params.id),
  addGreeting: withoutTransaction((ctx, { body }, http) => addGreeting(ctx, body, http.files)),
  updateGreeting: withoutTransaction((ctx, { params, body }, http) =>
    updateGreeting(ctx, params.id, body, http.files),
  ),
  updateGreetingByPost: withoutTransaction((ctx, { params, body }, http) =>
    updateGreeting(ctx, params.id, body, http.files),
  ),
  deleteGreeting: (ctx, { params }) => deleteGreeting(ctx, params.id),
  speakGreeting: withoutTransaction((ctx, { body }) => speakGreeting(ctx, body)),
});
