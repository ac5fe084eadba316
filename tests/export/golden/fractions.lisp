; main: written by idg export, with the invariants that it proved.
; Check it by: acl2 < FILE.lisp (no theorem may fail)

(in-package "ACL2")
(include-book "arithmetic-5/top" :dir :system)
(set-default-hints '((nonlinearp-default-hint stable-under-simplificationp hist pspv)))

; main, line 5: invariant on entry: x = 1
(defthm |condition 1|
  (implies (and (integerp |n.in|)
                (rationalp |x.line2|)
                (integerp |i.line3|)
                (<= 0 |n.in|)
                (equal |x.line2| 1)
                (equal |i.line3| 0))
           (equal |x.line2| 1))
  :rule-classes nil)

; main, line 7: narrowing: i + 1
(defthm |condition 2|
  (implies (and (integerp |n.in|)
                (rationalp |x.line2|)
                (integerp |i.line3|)
                (integerp |i.line5|)
                (rationalp |x.line5|)
                (rationalp |x.line6|)
                (<= 0 |n.in|)
                (equal |x.line2| 1)
                (equal |i.line3| 0)
                (<= 0 |i.line5|)
                (equal |x.line5| 1)
                (< |i.line5| |n.in|)
                (equal |x.line6| (+ (* 1/2 |x.line5|) 1/2)))
           (<= 0 (+ |i.line5| 1)))
  :rule-classes nil)

; main, line 5: invariant kept: x = 1
(defthm |condition 3|
  (implies (and (integerp |n.in|)
                (rationalp |x.line2|)
                (integerp |i.line3|)
                (integerp |i.line5|)
                (rationalp |x.line5|)
                (rationalp |x.line6|)
                (integerp |i.line7|)
                (<= 0 |n.in|)
                (equal |x.line2| 1)
                (equal |i.line3| 0)
                (<= 0 |i.line5|)
                (equal |x.line5| 1)
                (< |i.line5| |n.in|)
                (equal |x.line6| (+ (* 1/2 |x.line5|) 1/2))
                (<= 0 (+ |i.line5| 1))
                (equal |i.line7| (+ |i.line5| 1)))
           (equal |x.line6| 1))
  :rule-classes nil)

; main, line 9: narrowing: x + 1
(defthm |condition 4|
  (implies (and (integerp |n.in|)
                (rationalp |x.line2|)
                (integerp |i.line3|)
                (integerp |i.line5|)
                (rationalp |x.line5|)
                (<= 0 |n.in|)
                (equal |x.line2| 1)
                (equal |i.line3| 0)
                (<= 0 |i.line5|)
                (equal |x.line5| 1)
                (not (< |i.line5| |n.in|)))
           (integerp (+ |x.line5| 1)))
  :rule-classes nil)

; main, line 10: assert: y = 2 & min(x, 3) = 1 & abs(-x) = 1
(defthm |condition 5|
  (implies (and (integerp |n.in|)
                (rationalp |x.line2|)
                (integerp |i.line3|)
                (integerp |i.line5|)
                (rationalp |x.line5|)
                (integerp |whole.line9|)
                (integerp |y.line9|)
                (<= 0 |n.in|)
                (equal |x.line2| 1)
                (equal |i.line3| 0)
                (<= 0 |i.line5|)
                (equal |x.line5| 1)
                (not (< |i.line5| |n.in|))
                (integerp (+ |x.line5| 1))
                (equal |whole.line9| (+ |x.line5| 1))
                (equal |y.line9| |whole.line9|))
           (and (equal |y.line9| 2) (equal (if (<= |x.line5| 3) |x.line5| 3) 1) (equal (if (<= (- 0 (- 0 |x.line5|)) (- 0 |x.line5|)) (- 0 |x.line5|) (- 0 (- 0 |x.line5|))) 1)))
  :rule-classes nil)

(cw "IDG: all conditions were tried.~%")

