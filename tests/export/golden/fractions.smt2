; main: written by idg export, with the invariants that it proved.
; Check it by: z3 FILE.smt2 (each answer must be unsat)

(set-logic ALL)

(push 1)
; main, line 5: invariant on entry: x = 1
; A symbol x.line7 is the value that x gets in line 7, and x.in is the value of the parameter x at entry.
; If no values satisfy what is asserted here, the condition is valid. So unsat is expected.
(declare-fun i.line3 () Int)
(declare-fun n.in () Int)
(declare-fun x.line2 () Real)
(assert (<= 0 n.in))
(assert (= x.line2 1.0))
(assert (= i.line3 0))
(assert (not (= x.line2 1.0)))
(check-sat)
(pop 1)

(push 1)
; main, line 7: narrowing: i + 1
; A symbol x.line7 is the value that x gets in line 7, and x.in is the value of the parameter x at entry.
; If no values satisfy what is asserted here, the condition is valid. So unsat is expected.
(declare-fun i.line3 () Int)
(declare-fun i.line5 () Int)
(declare-fun n.in () Int)
(declare-fun x.line2 () Real)
(declare-fun x.line5 () Real)
(declare-fun x.line6 () Real)
(assert (<= 0 n.in))
(assert (= x.line2 1.0))
(assert (= i.line3 0))
(assert (<= 0 i.line5))
(assert (= x.line5 1.0))
(assert (< i.line5 n.in))
(assert (= x.line6 (+ (* (/ 1.0 2.0) x.line5) (/ 1.0 2.0))))
(assert (not (<= 0 (+ i.line5 1))))
(check-sat)
(pop 1)

(push 1)
; main, line 5: invariant kept: x = 1
; A symbol x.line7 is the value that x gets in line 7, and x.in is the value of the parameter x at entry.
; If no values satisfy what is asserted here, the condition is valid. So unsat is expected.
(declare-fun i.line3 () Int)
(declare-fun i.line5 () Int)
(declare-fun i.line7 () Int)
(declare-fun n.in () Int)
(declare-fun x.line2 () Real)
(declare-fun x.line5 () Real)
(declare-fun x.line6 () Real)
(assert (<= 0 n.in))
(assert (= x.line2 1.0))
(assert (= i.line3 0))
(assert (<= 0 i.line5))
(assert (= x.line5 1.0))
(assert (< i.line5 n.in))
(assert (= x.line6 (+ (* (/ 1.0 2.0) x.line5) (/ 1.0 2.0))))
(assert (<= 0 (+ i.line5 1)))
(assert (= i.line7 (+ i.line5 1)))
(assert (not (= x.line6 1.0)))
(check-sat)
(pop 1)

(push 1)
; main, line 9: narrowing: x + 1
; A symbol x.line7 is the value that x gets in line 7, and x.in is the value of the parameter x at entry.
; If no values satisfy what is asserted here, the condition is valid. So unsat is expected.
(declare-fun i.line3 () Int)
(declare-fun i.line5 () Int)
(declare-fun n.in () Int)
(declare-fun x.line2 () Real)
(declare-fun x.line5 () Real)
(assert (<= 0 n.in))
(assert (= x.line2 1.0))
(assert (= i.line3 0))
(assert (<= 0 i.line5))
(assert (= x.line5 1.0))
(assert (not (< i.line5 n.in)))
(assert (not (is_int (+ x.line5 1.0))))
(check-sat)
(pop 1)

(push 1)
; main, line 10: assert: y = 2 & min(x, 3) = 1 & abs(-x) = 1
; A symbol x.line7 is the value that x gets in line 7, and x.in is the value of the parameter x at entry.
; If no values satisfy what is asserted here, the condition is valid. So unsat is expected.
(declare-fun i.line3 () Int)
(declare-fun i.line5 () Int)
(declare-fun n.in () Int)
(declare-fun whole.line9 () Int)
(declare-fun x.line2 () Real)
(declare-fun x.line5 () Real)
(declare-fun y.line9 () Int)
(assert (<= 0 n.in))
(assert (= x.line2 1.0))
(assert (= i.line3 0))
(assert (<= 0 i.line5))
(assert (= x.line5 1.0))
(assert (not (< i.line5 n.in)))
(assert (is_int (+ x.line5 1.0)))
(assert (= (to_real whole.line9) (+ x.line5 1.0)))
(assert (= y.line9 whole.line9))
(assert (not (and (= y.line9 2) (= (ite (<= x.line5 3.0) x.line5 3.0) 1.0) (= (ite (<= (- 0.0 (- 0.0 x.line5)) (- 0.0 x.line5)) (- 0.0 x.line5) (- 0.0 (- 0.0 x.line5))) 1.0))))
(check-sat)
(pop 1)
