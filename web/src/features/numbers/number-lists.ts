import { numbers, routing } from '#contract';

/** What to ask anew when numbers changed. */
export const numberLists = [
  numbers.listNumbersDatatable,
  numbers.listNumbers,
  numbers.listNumbersOfCompany,
  numbers.numberStats,
  numbers.numberLimit,
  numbers.companyAreaCodes,
  routing.getNumber,
];
