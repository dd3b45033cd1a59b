/** Ids of the course's commands; those about one chapter take `{ chapter: "01-strides" }`. */
export const CourseCommand = {
  show: "torchloupe:show-course",
  open: "torchloupe:open-chapter",
  reset: "torchloupe:reset-chapter",
} as const;
