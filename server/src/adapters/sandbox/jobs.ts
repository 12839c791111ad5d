import { jobs as faxJobs } from './fax-jobs.ts';
import { jobs as portJobs } from './porting-jobs.ts';
import { jobs as registrationJobs } from './registration.ts';
import { jobs as textJobs } from './text-jobs.ts';

export const jobs = [...textJobs, ...registrationJobs, ...portJobs, ...faxJobs];
