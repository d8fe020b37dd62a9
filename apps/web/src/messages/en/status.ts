export const status = {
  SUCCESS: 'Posted',
  PENDING: 'In progress',
  SCHEDULED: 'Scheduled',
  UNKNOWN: 'Unknown',
  PARTLY: 'Partly posted',
  FAILED: 'Failed',
};
