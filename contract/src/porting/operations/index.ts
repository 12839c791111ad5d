export * from './documents.ts';
export * from './requests.ts';
