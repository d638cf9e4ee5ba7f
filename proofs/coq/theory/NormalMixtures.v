(** * The normal mass below a line

    Two independent standard normals fall below the line of height [a] at 0 and slope [b] with the probability [Phi (a / c)],
    [c = sqrt (1 + b^2)]: the line is [a / c] away from the origin. Integrals here go from [u] to [v] only, so this is a bound
    from above, and one from below but for what lies outside. *)
From Coq Require Import Reals Lra Psatz.
From Coquelicot Require Import Coquelicot.
From DPcore Require Import Normal.
Open Scope R_scope.
Set Implicit Arguments.

Lemma Phi_along (s : R -> R) ds t : is_derive s t ds -> is_derive (fun t => Phi (s t)) t (ds * phi (s t)).
Proof. apply (is_derive_comp Phi s), Phi_derive. Qed.

(** The mass below the line, between [u] and [v]. *)
Definition half_plane (a b u v : R) : R := RInt (fun z => phi z * Phi (a + b * z)) u v.

Section Line.
Variable b : R.
Definition stretch : R := sqrt (1 + b * b).
Notation c := stretch.

Lemma stretch_pos : 0 < c.
Proof. apply sqrt_lt_R0. nra. Qed.
Lemma stretch_square : c * c = 1 + b * b.
Proof. apply sqrt_sqrt. nra. Qed.

(** Turned so that the line is upright. *)
Lemma phi_turned a z : phi z * phi (a + b * z) = phi (a / c) * phi (c * z + a * b / c).
Proof.
  pose proof half_pos. pose proof stretch_pos. unfold phi, bell, Rdiv.
  match goal with |- exp ?x * _ * (exp ?y * _) = exp ?p * _ * (exp ?q * _) => assert (x + y = p + q) as E end.
  { set (i := / c). assert (i * c = 1) by (apply Rinv_l; lra).
    assert (i * i * (1 + b * b) = 1) by (rewrite <- stretch_square; replace (i * i * (c * c)) with ((i * c) * (i * c)) by ring; nra).
    replace ((c * z + a * b * i) * (c * z + a * b * i))
      with ((1 + b * b) * (z * z) + 2 * (a * b * z) * (i * c) + a * a * (b * b) * (i * i)) by (rewrite <- stretch_square; ring).
    replace (a * a * (b * b) * (i * i)) with (a * a * (i * i * (1 + b * b)) - a * i * (a * i)) by ring.
    rewrite H1, H2. field. }
  apply (f_equal exp) in E. rewrite !exp_plus in E. nra.
Qed.

Lemma line_continuous a z : continuous (fun z => phi z * Phi (a + b * z)) z.
Proof.
  apply (ex_derive_continuous (fun z => phi z * Phi (a + b * z))). auto_derive.
  repeat split; eexists; [apply phi_derive | apply Phi_derive].
Qed.

Lemma line_integrable a u v : ex_RInt (fun z => phi z * Phi (a + b * z)) u v.
Proof. apply (@ex_RInt_continuous R_CompleteNormedModule). intros z _. apply line_continuous. Qed.

Lemma phi_integrable u v : ex_RInt phi u v.
Proof. apply (@ex_RInt_continuous R_CompleteNormedModule). intros z _. apply phi_continuous. Qed.

Lemma phi_integral u v : RInt phi u v = Phi v - Phi u.
Proof.
  apply is_RInt_unique, (is_RInt_derive Phi phi); intros z _; [apply Phi_derive | apply phi_continuous].
Qed.

(** As the line rises. *)
Lemma half_plane_derive u v a :
  is_derive (fun a => half_plane a b u v) a (phi (a / c) / c * (Phi (c * v + a * b / c) - Phi (c * u + a * b / c))).
Proof.
  pose proof stretch_pos as c0.
  assert (D : forall x t, is_derive (fun x => phi t * Phi (x + b * t)) x (phi t * phi (x + b * t))).
  { intros x t. rewrite <- (Rmult_1_l (phi (x + b * t))). apply (is_derive_scal (fun x => Phi (x + b * t))).
    apply (@Phi_along (fun x => x + b * t)). auto_derive; [exact I | ring]. }
  evar_last.
  - apply (is_derive_RInt_param (fun a z => phi z * Phi (a + b * z)) u v a).
    + apply filter_forall. intros x t _. eexists. apply D.
    + intros t _. eapply continuity_2d_pt_ext; [intros x y; symmetry; apply is_derive_unique, D|].
      assert (phi_C : forall x, continuity_pt phi x) by (intros; apply continuity_pt_filterlim, phi_continuous).
      apply continuity_2d_pt_mult.
      * apply (continuity_1d_2d_pt_comp phi (fun _ y => y)); [apply phi_C | apply continuity_2d_pt_id2].
      * apply (continuity_1d_2d_pt_comp phi (fun x y => x + b * y)); [apply phi_C|].
        apply continuity_2d_pt_plus; [apply continuity_2d_pt_id1|].
        apply continuity_2d_pt_mult; [apply continuity_2d_pt_const | apply continuity_2d_pt_id2].
    + apply filter_forall. intros x. apply line_integrable.
  - apply is_RInt_unique.
    apply (is_RInt_ext (fun t => phi (a / c) * phi (c * t + a * b / c))).
    + intros t _. rewrite <- phi_turned. symmetry. apply is_derive_unique, D.
    + evar_last.
      * apply (is_RInt_derive (fun t => phi (a / c) / c * Phi (c * t + a * b / c))).
        -- intros t _. evar_last.
           ++ apply (is_derive_scal (fun t => Phi (c * t + a * b / c))), (@Phi_along (fun t => c * t + a * b / c) c).
              auto_derive; [exact I | ring].
           ++ field. lra.
        -- intros t _. apply (continuous_mult (fun _ => phi (a / c)) (fun t => phi (c * t + a * b / c))).
           ++ apply continuous_const.
           ++ apply continuous_comp; [|apply phi_continuous].
              apply (ex_derive_continuous (fun t => c * t + a * b / c)). now auto_derive.
      * unfold minus, plus, opp; simpl. ring.
Qed.

Lemma half_plane_le a u v : u <= v -> half_plane a b u v <= Phi (a / c).
Proof.
  intros H. pose proof stretch_pos as c0.
  (* the difference rises with a, and is at least -e for some a further left *)
  assert (R : forall x y, x <= y -> Phi (x / c) - half_plane x b u v <= Phi (y / c) - half_plane y b u v).
  { intros x y. apply rises with (f := fun a => Phi (a / c) - half_plane a b u v)
      (f' := fun a => phi (a / c) / c - phi (a / c) / c * (Phi (c * v + a * b / c) - Phi (c * u + a * b / c))).
    - intros t _. apply (is_derive_minus (fun a => Phi (a / c)) (fun a => half_plane a b u v)); [|apply half_plane_derive].
      replace (phi (t / c) / c) with (/ c * phi (t / c)) by (unfold Rdiv; ring).
      apply (@Phi_along (fun a => a / c)). auto_derive; [exact I | field; lra].
    - intros t _. assert (0 < phi (t / c) / c) by (apply Rdiv_lt_0_compat; [apply phi_pos | lra]).
      pose proof (Phi_between (c * v + t * b / c)). pose proof (Phi_between (c * u + t * b / c)). nra. }
  apply le_epsilon. intros e e0. destruct (Phi_near_0 e0) as (s & S).
  set (x := Rmin a (s - Rmax (b * u) (b * v))).
  specialize (R x a (Rmin_l _ _)). pose proof (Phi_between (x / c)).
  assert (B : half_plane x b u v <= e); [|lra].
  apply Rle_trans with (RInt (fun z => e * phi z) u v).
  - apply RInt_le; [exact H | apply line_integrable | |].
    + apply (ex_RInt_scal phi u v e), phi_integrable.
    + intros z Z. rewrite Rmult_comm. apply Rmult_le_compat_r; [left; apply phi_pos|].
      apply Rle_trans with (Phi s); [apply Phi_le | lra].
      pose proof (Rmin_r a (s - Rmax (b * u) (b * v))). fold x in H1.
      pose proof (Rmax_l (b * u) (b * v)). pose proof (Rmax_r (b * u) (b * v)).
      assert (b * z <= Rmax (b * u) (b * v)); [|lra].
      destruct (Rle_dec 0 b); [apply Rle_trans with (b * v) | apply Rle_trans with (b * u)]; nra.
  - replace (RInt (fun z => e * phi z) u v) with (e * RInt phi u v).
    + rewrite phi_integral. pose proof (Phi_between u). pose proof (Phi_between v). nra.
    + symmetry. apply (RInt_scal phi u v e), phi_integrable.
Qed.
End Line.

(** What lies below the line is what does not lie below it turned over. *)
Lemma half_plane_ge a b u v : u <= v -> Phi v - Phi u - Phi (- (a / stretch b)) <= half_plane a b u v.
Proof.
  intros H. pose proof (@half_plane_le (- b) (- a) u v H) as B.
  assert (S : stretch (- b) = stretch b) by (unfold stretch; f_equal; ring). rewrite S in B.
  replace (- a / stretch b) with (- (a / stretch b)) in B by (unfold Rdiv; ring).
  assert (E : half_plane a b u v + half_plane (- a) (- b) u v = Phi v - Phi u); [|lra].
  unfold half_plane. rewrite <- phi_integral.
  rewrite <- (RInt_plus (fun z => phi z * Phi (a + b * z))) by apply line_integrable.
  apply RInt_ext. intros z _. replace (- a + - b * z) with (- (a + b * z)) by ring. rewrite Phi_opp.
  unfold plus; simpl. ring.
Qed.

(** Along a moved density. *)
Lemma half_plane_moved k a b u v :
  is_RInt (fun z => phi (z + k) * Phi (a + b * (z + k))) u v (half_plane a b (u + k) (v + k)).
Proof.
  apply (is_RInt_ext (fun z => scal 1 (phi (1 * z + k) * Phi (a + b * (1 * z + k))))).
  - intros z _. unfold scal; simpl; unfold mult; simpl. now rewrite !Rmult_1_l.
  - apply (is_RInt_comp_lin (fun z => phi z * Phi (a + b * z)) 1 k u v). rewrite !Rmult_1_l.
    apply (@RInt_correct R_CompleteNormedModule), line_integrable.
Qed.
