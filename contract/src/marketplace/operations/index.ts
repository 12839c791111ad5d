export * from './leasing.ts';
export * from './owning.ts';
