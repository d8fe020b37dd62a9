export const status = {
  SUCCESS: 'Posted',
  PENDING: 'In progress',
  SCHEDULED: 'Scheduled',
  UNKNOWN: 'Not known',
  PARTLY: 'Partly posted',
  FAILED: 'Failed',
};
