import type { Answer } from '#contract/kit';
import type { conversations } from '#contract';

export type Conversation = Answer<typeof conversations.getConversation>['data'];
export type Item = Answer<typeof conversations.getConversationItem>['data'];
export type ItemOf<K extends Item['kind']> = Extract<Item, { kind: K }>;
