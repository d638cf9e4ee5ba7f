(** * What [cost] says is true *)
From Coq Require Import String List ZArith QArith Qreals Reals Lra Lia Bool.
From DPcore Require Import Distributions Measures Metrics Combinators Partition Parallel.
From DPcore Require LocalModel Clones.
From DPchecker Require Import Json Language Ordered Meaning Alike Numbers Distances Losses Worst Rounding Points Promises Stability Far Grouped StepByStep StepFacts
  Leaves NoiseProfile Claimed Together Advanced Optimal Unequal Plain Converted Parts AdaptiveSound AskedSound Jointly Overlaps Orders Hidden Cost.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.
Unset Strict Implicit.

Section Sound.
Variable I : interpretation.
Notation data := (data I).
Notation release := (dist (released (users I))).

Definition close (m : measure) (n : node) (x y : data) (p : Q) (l : loss) : Prop := meets m (Q2R p) (denote n x) (denote n y) (real m l).

Definition sound (n : node) : Prop := forall md m xs fs d ls, 0 <= Q2R d -> cost md n m xs fs d = Some ls ->
  Forall nonneg_loss ls /\ length xs = length ls /\
  (forall x y, known fs (Q2R d) x y -> Forall2 (close m n x y) xs ls) /\
  (forall x y, known fs 0 x y -> same (denote n x : release) (denote n y)).

Lemma close_refl m n x xs ls : Forall nonneg_loss ls -> length xs = length ls -> Forall2 (close m n x x) xs ls.
Proof.
  intros N L. apply Forall2_of_Forall; [exact L|]. revert N; apply Forall_impl. intros l N p. apply meets_same_loss; auto.
Qed.

Lemma everywhere_ok (R : Q -> loss -> Prop) xs l : (forall p, R p l) -> Forall2 R xs (everywhere xs l).
Proof. intros H. apply Forall2_map_r. induction xs; constructor; auto. Qed.
Lemma everywhere_nonneg xs l : nonneg_loss l -> Forall nonneg_loss (everywhere xs l).
Proof. intros H. apply Forall_map, Forall_forall. auto. Qed.
Lemma everywhere_length xs l : length xs = length (everywhere xs l).
Proof. unfold everywhere. now rewrite map_length. Qed.

(** ** Premises, all asked in the same way *)
Section Premises.
Variables (md : mode) (m : measure) (ys : list Q) (fs : list fact) (d : Q) (ps : list node) (rows : list (list loss)).
Hypothesis d_nonneg : 0 <= Q2R d.
Hypothesis all_sound : Forall sound ps.
Hypothesis answers : Forall2 (fun p row => cost md p m ys fs d = Some row) ps rows.

Lemma rows_ok : Forall (Forall nonneg_loss) rows /\ Forall (fun row => length ys = length row) rows /\
  (forall x y, known fs (Q2R d) x y -> Forall2 (fun M row => Forall2 (fun p l => meets m (Q2R p) (M x) (M y) (real m l)) ys row) (map (denote (I := I)) ps) rows) /\
  (forall x y, known fs 0 x y -> Forall (fun M => same (M x) (M y)) (map (denote (I := I)) ps)).
Proof.
  revert all_sound. pose proof answers as A. clear answers. induction A as [|p row qs rs H _ IH]; intros S; [repeat split; constructor|].
  inversion S as [|? ? Hp Hs]; subst. destruct (Hp md m ys fs d row d_nonneg H) as (N & L & P & Z). destruct (IH Hs) as (N' & L' & P' & Z').
  split; [now constructor|]. split; [now constructor|]. split; intros x y K; simpl; constructor; auto. now apply P.
Qed.

(** At one point. *)
Lemma columns_at x y : known fs (Q2R d) x y ->
  Forall2 (fun p col => Forall2 (fun M l => meets m (Q2R p) (M x) (M y) (real m l)) (map (denote (I := I)) ps) col) ys (columns ys rows).
Proof. intros K. apply (columns_ok (fun M p l => meets m (Q2R p) (M x) (M y) (real m l))). now apply rows_ok. Qed.
End Premises.

Lemma one_point md m fs d ps rows x y : 0 <= Q2R d -> Forall sound ps -> Forall2 (fun p row => cost md p m [0%Q] fs d = Some row) ps rows ->
  known fs (Q2R d) x y -> Forall2 (fun M l => meets m (Q2R 0) (M x) (M y) (real m l)) (map (denote (I := I)) ps) (map (hd zero_loss) rows).
Proof.
  intros Hd S A K. pose proof (columns_at Hd S A K) as C. simpl in C. now inversion C.
Qed.

Lemma all_refl m A (P : dist A) xs ls : Forall nonneg_loss ls -> length xs = length ls -> Forall2 (fun q l => meets m (Q2R q) P P (real m l)) xs ls.
Proof. intros N L. apply Forall2_of_Forall; [exact L|]. revert N; apply Forall_impl. intros l N p. apply meets_same_loss; auto. Qed.

(** Measurements of parts: each is asked about data one step apart. *)
Section Of_parts.
Variables (md : mode) (m : measure) (ys : list Q) (fs : list fact) (D : domain) (ks : list constant) (e : R) (a b : constant -> list (row I)).
Hypothesis of_parts : known (of_rows fs) e (Parts D ks a : data) (Parts D ks b).
Variable step : Q.
Hypothesis step_nonneg : 0 <= Q2R step.
Hypothesis one : step = 1%Q \/ ys = [].

Lemma part_known w e' u v : apart w e' (Rows D u : data) (Rows D v) -> known (Measured w :: of_rows fs) e' (Rows D u : data) (Rows D v).
Proof. intros S. apply Forall_cons; [exact S | apply (of_parts_again _ _ _ of_parts)]. Qed.

Lemma part_asked w (mt : Metrics.metric (list (row I))) n found : (forall e u v, mt e u v -> apart w e (Rows D u : data) (Rows D v)) -> sound n ->
  cost md n m ys (Measured w :: of_rows fs) step = Some found -> Forall2 (fun q l => @costs I mt m D n q l) ys found.
Proof.
  intros W H C. destruct (H md m ys _ step found step_nonneg C) as (N & L & P & _).
  destruct one as [E|E]; [rewrite E, Q2R_1 in P | rewrite E in *; destruct found; [constructor | discriminate L]].
  assert (F : Forall2 (fun (_ : Q) l => nonneg_loss l) ys found) by (apply Forall2_of_Forall; [exact L|]; revert N; apply Forall_impl; auto).
  pose proof (Forall2_all (fun uv : list (row I) * list (row I) => mt 1 (fst uv) (snd uv))
    (fun uv q l => meets m (Q2R q) (denote n (Rows D (fst uv) : data)) (denote n (Rows D (snd uv))) (real m l)) L
    (fun uv S => P _ _ (part_known (W _ _ _ S)))) as G.
  apply Forall2_weaken with (2 := Forall2_and F G). intros q l [Nl K]. split; [exact Nl|]. intros u v S. exact (K (u, v) S).
Qed.

Lemma at_once e' u v : symmetric e' u v -> apart Symmetric e' (Rows D u : data) (Rows D v). Proof. split; [reflexivity | assumption]. Qed.
Lemma at_change e' u v : change_one e' u v -> apart ChangeOne e' (Rows D u : data) (Rows D v). Proof. split; [reflexivity | assumption]. Qed.

Lemma parts_at ps rows : Forall sound ps -> Forall2 (fun p row => cost md p m ys (Measured Symmetric :: of_rows fs) step = Some row) ps rows ->
  Forall (@orderless I D) ps /\ Forall2 (fun q col => Forall2 (fun n l => @costs I symmetric m D n q l) ps col) ys (columns ys rows).
Proof.
  intros S A. split.
  - revert S. induction A as [|p row ps rows C _ IH]; intros S; constructor; inversion S as [|? ? Hp Hs]; subst; [|now apply IH].
    intros u v T. apply (Hp md m ys _ step row step_nonneg C). apply part_known. now apply at_once.
  - apply (columns_ok (fun n q l => @costs I symmetric m D n q l)).
    revert S. induction A as [|p row ps rows C _ IH]; intros S; constructor; inversion S as [|? ? Hp Hs]; subst; [|now apply IH].
    exact (part_asked at_once Hp C).
Qed.

Lemma changed_at ps qs rows : Forall sound qs -> list_eqb alike ps qs = true ->
  Forall2 (fun p row => cost md p m ys (Measured ChangeOne :: of_rows fs) step = Some row) qs rows ->
  Forall2 (fun q col => Forall2 (fun n l => @costs I change_one m D n q l) ps col) ys (columns ys rows).
Proof.
  intros S E A. apply (columns_ok (fun n q l => @costs I change_one m D n q l)).
  revert ps S E. induction A as [|p row qs rows C _ IH]; intros [|x ps] S E; try discriminate; constructor; inversion S as [|? ? Hp Hs]; subst;
  simpl in E; apply andb_prop in E; destruct E as [E E']; [|now apply IH].
  apply Forall2_weaken with (2 := part_asked at_change Hp C). intros q l [N P]. split; [exact N|]. intros u v T. rewrite (alike_ok I x p E). now apply P.
Qed.
End Of_parts.

(** Parts with a transformation each. *)
Lemma nonnegs_ok l : nonnegs l = true -> Forall (fun q => 0 <= Q2R q) l.
Proof. intros H. apply Forall_forall. intros q J. unfold nonnegs in H. rewrite forallb_forall in H. specialize (H q J). apply Qle_R in H. now rewrite Q2R_0 in H. Qed.

Lemma by_part_ok md m source fs ps : Forall sound ps -> Forall (promises I) ps -> forall joint columns, forallb nonnegs joint = true ->
  by_part (fun p fs d => let* row := cost md p m [0%Q] fs d in Some (hd zero_loss row)) (one_step source fs) ps joint = Some columns ->
  follow_from I (meets m (Q2R 0)) (real m) source fs ps joint columns.
Proof.
  induction ps as [|t|t p ps IH] using pairs_ind; intros So Kp joint columns J H; try discriminate; [injection H as <-; constructor|].
  cbn [by_part] in H. unfold bind_option at 1 2 in H.
  destruct (far t (one_step source fs)) as [[gs f]|] eqn:Fa; [|discriminate]. cbn [fst snd] in H.
  destruct (through f 1) as [most|] eqn:Th; [|discriminate]. destruct (all_of _ joint) as [ls|] eqn:A; [|discriminate].
  destruct (by_part _ _ ps _) as [cs|] eqn:B; [|discriminate]. injection H as <-.
  inversion So as [|u v _ So']; inversion So' as [|u' v' Hp So2]; inversion Kp as [|w k Kt Kp']; inversion Kp' as [|w' k' _ Kp2]; subst.
  destruct (far_ok Kt Fa) as [G S]. assert (H1 : 0 <= Q2R 1) by (rewrite Q2R_1; lra).
  destruct (at_all_ok G H1 Th) as [V M]. pose proof (at_all_nonneg G H1 V) as M0. rewrite Q2R_1 in V, M, M0.
  apply (@a_part I _ _ _ _ _ _ t p ps gs f most).
  - exact Fa.
  - intros x y K. destruct (S 1 x y ltac:(lra) V K) as [K'|N']; [left; exact (known_le M K') | now right].
  - intros x y K. pose proof (S 0 x y (Rle_refl 0) (reach_all_0 f) K) as K'. now rewrite at_all_0 in K'.
  - apply all_of_ok in A. clear -A Hp J M M0. revert ls A. induction joint as [|v joint IH]; intros ls A; inversion A as [|c l cs ls' C A']; subst; constructor.
    + simpl in J. apply andb_prop in J. destruct J as [J _].
      assert (E : 0 <= Q2R (Qmin (hd 0%Q v) most)).
      { unfold Qmin. destruct (Qle_bool (hd 0%Q v) most); [|lra]. destruct v as [|e v]; [simpl; rewrite Q2R_0; lra|].
        apply nonnegs_ok in J. now inversion J. }
      unfold bind_option in C. destruct (cost md p m [0%Q] gs _) as [row|] eqn:D; [|discriminate]. injection C as <-.
      destruct (Hp md m [0%Q] gs _ row E D) as (N & L & P & Z). destruct row as [|l [|]]; try discriminate L. inversion N as [|? ? Nl _]; subst.
      split; [now apply real_nonneg|]. split; [|exact Z]. intros x y K. exact (Forall2_one (P x y K)).
    + apply IH; [|exact A']. simpl in J. now apply andb_prop in J.
  - apply IH; auto. clear -J. induction joint as [|v joint IH]; [reflexivity|]. simpl in *. apply andb_prop in J. destruct J as [A B].
    rewrite (IH B), andb_true_r. destruct v as [|e v]; [reflexivity|]. simpl in *. now apply andb_prop in A.
Qed.

(** One loss of one step, at every point: of a measure without a curve. *)
Lemma lift_one m n s fs md xs d l ks : curved m = false -> in_steps s = true -> (forall d (x y : data), known fs d x y -> known (one_step s fs) d x y) ->
  0 <= Q2R d -> nonneg_loss l -> lifted_all md m d xs (everywhere (points_of_step m d xs) l) = Some ks ->
  (forall x y, known (one_step s fs) 1 x y -> close m n x y 0 l) -> (forall x y : data, known (one_step s fs) 0 x y -> same (denote n x : release) (denote n y)) ->
  Forall nonneg_loss ks /\ length xs = length ks /\ (forall x y, known fs (Q2R d) x y -> Forall2 (close m n x y) xs ks) /\
  (forall x y : data, known fs 0 x y -> same (denote n x : release) (denote n y)).
Proof.
  intros Cu S F Hd N L P Z. assert (Ne : Forall nonneg_loss (everywhere (points_of_step m d xs) l)) by now apply everywhere_nonneg.
  destruct (@lifted_nonneg_length md m d xs _ ks Hd L Ne) as [Nk Lk]. split; [exact Nk|]. split; [exact Lk|]. split; intros x y K; apply F in K; [|now apply Z].
  apply (lift_steps S Hd L (everywhere_length _ _) Ne) with (3 := K); [|exact Z].
  intros u v Kn. apply everywhere_ok. intros p. apply same_at_points with (1 := Cu) (2 := P u v Kn).
Qed.

(** ** Reports of rows *)
Definition report_of (p : node) (r : row I) : release := denote p (Value (class I (Expression (ERow None)) r) : data).

Lemma each_report md p row : sound p -> cost md p MPure [0%Q] [Measured Discrete] 1%Q = Some row ->
  exists l, row = [l] /\ nonneg_loss l /\ forall a b, pure (report_of p a) (report_of p b) (Q2R (fst l)).
Proof.
  intros Hp C. assert (H1 : 0 <= Q2R 1) by (rewrite Q2R_1; lra). destruct (Hp md MPure _ _ 1%Q row H1 C) as (N & L & P & _).
  destruct row as [|l [|]]; try discriminate L. inversion N as [|? ? Nl _]; subst. rewrite Q2R_1 in P.
  exists l. split; [reflexivity|]. split; [exact Nl|]. intros a b.
  assert (K : known [Measured Discrete] 1 (Value (class I (Expression (ERow None)) a) : data) (Value (class I (Expression (ERow None)) b))).
  { constructor; [split; [lra | right; lra] | constructor]. }
  exact (Forall2_one (P _ _ K)).
Qed.

(** From one step to any distance, of a curve too. *)
Lemma by_steps_ok n w fs md m d xs ask ks : in_steps w = true -> has w fs = true -> 0 <= Q2R d ->
  (forall s ys ls, 0 <= Q2R s -> s = 1%Q \/ ys = [] -> ask s ys = Some ls -> Forall nonneg_loss ls /\ length ys = length ls /\
    (forall x y, known (one_step w fs) 1 x y -> Forall2 (close m n x y) ys ls) /\
    (forall x y : data, known (one_step w fs) 0 x y -> same (denote n x : release) (denote n y))) ->
  by_steps md m d xs ask = Some ks ->
  Forall nonneg_loss ks /\ length xs = length ks /\ (forall x y, known fs (Q2R d) x y -> Forall2 (close m n x y) xs ks) /\
  (forall x y : data, known fs 0 x y -> same (denote n x : release) (denote n y)).
Proof.
  intros S Hw Hd A. assert (F : forall e (x y : data), known fs e x y -> known (one_step w fs) e x y) by (intros e x y; now apply one_step_ok).
  unfold by_steps, bind_option. destruct (lifts m) eqn:Lm.
  - destruct (ask (step_of m d) (points_of_step m d xs)) as [ls|] eqn:C; [|discriminate]. intros H.
    destruct (A _ _ ls (step_of_nonneg m d) (step_or_no_points m d xs) C) as (N & L & P & Z).
    destruct (@lifted_nonneg_length md m d xs _ ks Hd H N) as [Nk Lk]. split; [exact Nk|]. split; [exact Lk|].
    split; intros x y K; apply F in K; [|now apply Z].
    exact (@lift_steps I (denote n) w fs md m d xs ls ks S Hd H L N P Z x y K).
  - destruct (steps_in d) as [k|] eqn:Dk; [|discriminate]. assert (H1 : 0 <= Q2R 1) by (rewrite Q2R_1; lra).
    destruct (ask 1%Q []) as [none|] eqn:C0; [|discriminate]. destruct (A _ _ none H1 (or_introl eq_refl) C0) as (_ & _ & _ & Z). intros H.
    destruct (fun B => @lift_curve I (denote n) w fs md m d k (ask 1%Q) xs ks S Dk B Z H) as (N & L & P).
    + intros ys ls C. destruct (A _ _ ls H1 (or_introl eq_refl) C) as (N & L & P & _). auto.
    + split; [exact N|]. split; [exact L|]. split; intros x y K; apply F in K; [exact (P x y K) | exact (Z x y K)].
Qed.

(** ** The tree *)
Theorem cost_ok n : promises I n -> sound n.
Proof.
  induction n as [r ps IH] using node_ind'. intros Kept md m xs fs d ls Hd H. destruct (promises_all Kept) as [Own Kept_below].
  apply (@Forall_of_both _ (promises I) sound ps Kept_below) in IH.
  assert (Leaf : ps = [] -> leaf_cost r m xs fs d = Some ls -> (forall x, denote (Tree r ps) x = measure_rule r x :> release) ->
    Forall nonneg_loss ls /\ length xs = length ls /\ (forall x y, known fs (Q2R d) x y -> Forall2 (close m (Tree r ps) x y) xs ls) /\
    (forall x y, known fs 0 x y -> same (denote (Tree r ps) x : release) (denote (Tree r ps) y))).
  { intros -> C E. unfold leaf_cost in C. destruct (cost_rule r fs d) as [[k l]|] eqn:C'; [|discriminate].
    destruct (measure_eqb m k) eqn:Em; [|discriminate]. apply measure_eqb_eq in Em. subst k. injection C as <-.
    destruct (cost_rule_ok I 0 Hd C') as (N & _ & Z). split; [now apply everywhere_nonneg|]. split; [apply everywhere_length|]. split; intros x y K.
    - apply everywhere_ok. intros p. unfold close. rewrite !E. now apply (cost_rule_ok I (Q2R p) Hd C').
    - rewrite !E. now apply Z. }
  destruct r; try (destruct ps; [|discriminate H]; apply Leaf; [reflexivity | exact H | reflexivity]); clear Leaf.
  - (* Chain *)
    clear Kept Own. revert fs d H Hd. induction IH as [|p ps Hp IH IHps]; inversion Kept_below as [|u v Kp Kps]; subst; intros fs d H Hd; [discriminate|].
    destruct ps as [|q ps].
    + change (cost md p m xs fs d = Some ls) in H. exact (Hp md m xs fs d ls Hd H).
    + change (match far p fs with
              | Some (gs, f) => match through f d with Some e => cost md (Tree Chain (q :: ps)) m xs gs e | None => None end
              | None => None end = Some ls) in H.
      destruct (far p fs) as [[gs f]|] eqn:F; [|discriminate]. destruct (through f d) as [e|] eqn:Fe; [|discriminate].
      destruct (far_ok Kp F) as [G S]. destruct (at_all_ok G Hd Fe) as [V Le]. pose proof (at_all_nonneg G Hd V) as Ge.
      destruct (IHps Kps gs e H ltac:(lra)) as (N & L & P & Z). split; [exact N|]. split; [exact L|].
      split; intros x y K.
      * change (Forall2 (close m (Tree Chain (q :: ps)) (run p x) (run p y)) xs ls). destruct (S _ x y Hd V K) as [K'|[-> ->]]; [|now apply close_refl].
        apply P. eapply known_le; [|exact K']. exact Le.
      * change (same (denote (Tree Chain (q :: ps)) (run p x) : release) (denote (Tree Chain (q :: ps)) (run p y))).
        destruct (S 0 x y (Rle_refl 0) (reach_all_0 f) K) as [K'|[-> ->]]; [|apply same_refl]. apply Z. now rewrite at_all_0 in K'.
  - (* PostProcess *)
    destruct ps as [|p [|]]; try discriminate H. inversion IH as [|u v Hp _]; subst. cbn [cost] in H.
    destruct (Hp md m xs fs d ls Hd H) as (N & L & P & Z). split; [exact N|]. split; [exact L|]. split; intros x y K.
    + apply Forall2_weaken with (2 := P x y K). intros q l C. unfold close. cbn [denote map combined]. now apply meets_post.
    + cbn [denote map combined]. apply same_bind; [now apply Z | auto].
  - (* GaussianProfile *)
    destruct ps; [|discriminate H]. cbn [cost] in H. unfold bind_option, guard in H. destruct (measure_eqb m MProfile) eqn:E; [|discriminate].
    apply measure_eqb_eq in E. subst m. exact (noise_profile_ok I _ _ _ _ _ H).
  - (* ClaimedMeasurement *)
    destruct ps; [|discriminate H]. cbn [cost] in H. unfold bind_option, guard in H. destruct (measure_eqb m m0 && has source fs)%bool eqn:E; [|discriminate].
    apply andb_prop in E. destruct E as [E Hs]. apply measure_eqb_eq in E. subst m0. destruct (claimed_cost_ok Own H) as (N & L & P).
    split; [exact N|]. split; [exact L|]. split; intros x y K; apply (has_ok Hs) in K; [now apply P | exact (proj1 Own x y K)].
  - (* Convert *)
    destruct ps as [|p [|]]; try discriminate H. inversion IH as [|u v Hp _]; subst. cbn [cost] in H. unfold bind_option, guard in H.
    destruct (measure_eqb m target) eqn:E; [|discriminate]. apply measure_eqb_eq in E. subst target.
    destruct (cost md p source (asked source m witness) fs d) as [ks|] eqn:C; [|discriminate].
    destruct (Hp md source _ fs d ks Hd C) as (N & _ & P & Z). destruct (@converted_ok _ (ret tt) (ret tt) md source m tight parameter witness xs ks ls N H) as (N' & L' & _).
    split; [exact N'|]. split; [exact L'|]. split; intros x y K.
    + change (Forall2 (fun q l => meets m (Q2R q) (denote p x) (denote p y) (real m l)) xs ls).
      apply (@converted_ok _ (denote p x) (denote p y) md source m tight parameter witness xs ks ls N H); [exact (P x y K) | exact (P y x (known_sym K))].
    + cbn [denote map combined]. now apply Z.
  - (* Compose *)
    cbn [cost] in H. unfold bind_option, guard in H. destruct (measure_eqb m m0) eqn:E; [|discriminate]. apply measure_eqb_eq in E. subst m0.
    destruct (all_of _ ps) as [rows|] eqn:C; [|discriminate]. apply all_of_ok in C. destruct (rows_ok Hd IH C) as (N & L & P & Z).
    split; [exact (@together_at_nonneg md m xs rows ls H N)|]. split; [exact (@together_at_length md m xs rows ls H L)|]. split; intros x y K.
    + assert (Q' : Forall2 (fun p l => meets m (Q2R p) (all (map (denote (I := I)) ps) x) (all (map (denote (I := I)) ps) y) (real m l)) xs ls)
        by (apply (@together_at_ok md m xs rows ls H); now apply P).
      apply Forall2_weaken with (2 := Q'). intros p l Q1. destruct ps as [|p0 [|p1 ps]]; unfold close; cbn [denote map combined]; now apply meets_post.
    + destruct ps as [|p0 [|p1 ps]]; cbn [denote map combined]; (apply same_bind; [|auto]); apply all_same; now apply Z.
  - (* Advanced *)
    destruct ps as [|p0 ps0]; [discriminate H|]. cbn [cost] in H. set (ps := p0 :: ps0) in *. unfold bind_option, guard in H.
    destruct (measure_eqb m MApprox && takes_advanced m0 && above_0 slack && above_0 (1 - slack))%bool eqn:E; [|discriminate].
    rewrite !andb_true_iff in E. destruct E as [[[E T] S1] S2]. apply measure_eqb_eq in E. subst m. apply above_0_R in S1, S2. rewrite Q2R_minus, Q2R_1 in S2.
    destruct (all_of _ ps) as [rows|] eqn:C; [|discriminate]. apply all_of_ok in C.
    destruct (advanced md m0 slack (map (hd zero_loss) rows)) as [k|] eqn:Ad; [|discriminate]. injection H as <-.
    destruct (rows_ok Hd IH C) as (N & _ & _ & Z).
    assert (Nl : Forall nonneg_loss (map (hd zero_loss) rows)).
    { apply Forall_map. revert N; apply Forall_impl. intros [|l row] Nr; [apply nonneg_zero_loss | now inversion Nr]. }
    assert (Sl : 0 < Q2R slack < 1) by lra. destruct (@advanced_ok md m0 slack _ k Nl Sl Ad T) as [Nk A].
    split; [now apply everywhere_nonneg|]. split; [apply everywhere_length|]. split; intros x y K.
    + apply everywhere_ok. intros q. unfold close. change (denote (Tree (Advanced m0 slack) ps)) with (fun d : data => bind (all (map (denote (I := I)) ps) d) (fun l => ret (Several l))).
      apply meets_post. apply (A data (released (users I)) (map (denote (I := I)) ps) (Q2R 0)).
      * exact (one_point Hd IH C K).
      * exact (one_point Hd IH C (known_sym K)).
    + change (denote (Tree (Advanced m0 slack) ps)) with (fun d : data => bind (all (map (denote (I := I)) ps) d) (fun l => ret (Several l))).
      apply same_bind; [|auto]. apply all_same. now apply Z.
  - (* AdvancedOrPlain *)
    destruct ps as [|p0 ps0]; [discriminate H|]. cbn [cost] in H. set (ps := p0 :: ps0) in *. unfold bind_option, guard in H.
    destruct (measure_eqb m MApprox && takes_advanced m0 && above_0 slack && above_0 (1 - slack))%bool eqn:E; [|discriminate].
    rewrite !andb_true_iff in E. destruct E as [[[E T] S1] S2]. apply measure_eqb_eq in E. subst m. apply above_0_R in S1, S2. rewrite Q2R_minus, Q2R_1 in S2.
    destruct (all_of _ ps) as [rows|] eqn:C; [|discriminate]. apply all_of_ok in C.
    destruct (advanced_or_plain md m0 slack (map (hd zero_loss) rows)) as [k|] eqn:Ad; [|discriminate]. injection H as <-.
    destruct (rows_ok Hd IH C) as (N & _ & _ & Z).
    assert (Nl : Forall nonneg_loss (map (hd zero_loss) rows)).
    { apply Forall_map. revert N; apply Forall_impl. intros [|l row] Nr; [apply nonneg_zero_loss | now inversion Nr]. }
    assert (Sl : 0 < Q2R slack < 1) by lra. destruct (@advanced_or_plain_ok md m0 slack _ k Nl Sl Ad T) as [Nk A].
    split; [now apply everywhere_nonneg|]. split; [apply everywhere_length|]. split; intros x y K.
    + apply everywhere_ok. intros q. unfold close. change (denote (Tree (AdvancedOrPlain m0 slack) ps)) with (fun d : data => bind (all (map (denote (I := I)) ps) d) (fun l => ret (Several l))).
      apply meets_post. apply (A data (released (users I)) (map (denote (I := I)) ps) (Q2R 0)).
      * exact (one_point Hd IH C K).
      * exact (one_point Hd IH C (known_sym K)).
    + change (denote (Tree (AdvancedOrPlain m0 slack) ps)) with (fun d : data => bind (all (map (denote (I := I)) ps) d) (fun l => ret (Several l))).
      apply same_bind; [|auto]. apply all_same. now apply Z.
  - (* Optimal *)
    destruct ps as [|p0 ps0]; [discriminate H|]. cbn [cost] in H. set (ps := p0 :: ps0) in *. unfold bind_option, guard in H.
    destruct (measure_eqb m MProfile && takes_optimal m0)%bool eqn:E; [|discriminate].
    apply andb_prop in E. destruct E as [E T]. apply measure_eqb_eq in E. subst m.
    destruct (all_of _ ps) as [rows|] eqn:C; [|discriminate]. apply all_of_ok in C. destruct (rows_ok Hd IH C) as (_ & _ & _ & Z).
    set (Ms := map (denote (I := I)) ps) in *.
    assert (K : Pos.to_nat (Pos.of_succ_nat (length ps0)) = length Ms) by (unfold Ms, ps; now rewrite SuccNat2Pos.id_succ, map_length).
    assert (O := fun x y => @optimal_ok m0 _ _ Ms (Q2R 0) _ _ x y xs ls T K H).
    split; [apply (O NoData NoData)|]. split; [apply (O NoData NoData)|].
    change (denote (Tree (Optimal m0) ps)) with (fun d : data => bind (all Ms d) (fun l => ret (Several l))). split; intros x y Kn.
    + destruct (O x y) as (_ & _ & P). specialize (P (one_point Hd IH C Kn) (one_point Hd IH C (known_sym Kn))).
      apply Forall2_weaken with (2 := P). intros q l G. unfold close. now apply meets_post.
    + apply same_bind; [|auto]. apply all_same. now apply Z.
  - (* Unequal *)
    destruct ps as [|p0 ps0]; [discriminate H|]. cbn [cost] in H. set (ps := p0 :: ps0) in *. unfold bind_option, guard in H.
    destruct (measure_eqb m MProfile && takes_optimal m0)%bool eqn:E; [|discriminate].
    apply andb_prop in E. destruct E as [E T]. apply measure_eqb_eq in E. subst m.
    destruct (all_of _ ps) as [rows|] eqn:C; [|discriminate]. apply all_of_ok in C. destruct (rows_ok Hd IH C) as (N & _ & _ & Z).
    assert (Nl : Forall nonneg_loss (map (hd zero_loss) rows)).
    { apply Forall_map. revert N; apply Forall_impl. intros [|l row] Nr; [apply nonneg_zero_loss | now inversion Nr]. }
    set (Ms := map (denote (I := I)) ps) in *.
    assert (T' : match m0 with MPure | MApprox => True | _ => False end) by (destruct m0; try discriminate T; exact Logic.I).
    assert (O := fun x y => @unequal_ok md m0 _ _ Ms (Q2R 0) _ x y xs ls T' Nl H).
    split; [apply (O NoData NoData)|]. split; [apply (O NoData NoData)|].
    change (denote (Tree (Unequal m0) ps)) with (fun d : data => bind (all Ms d) (fun l => ret (Several l))). split; intros x y Kn.
    + destruct (O x y) as (_ & _ & P). specialize (P (one_point Hd IH C Kn) (one_point Hd IH C (known_sym Kn))).
      apply Forall2_weaken with (2 := P). intros q l G. unfold close. now apply meets_post.
    + apply same_bind; [|auto]. apply all_same. now apply Z.
  - (* Group *)
    destruct ps as [|p [|]]; try discriminate H. inversion IH as [|u v Hp _]; subst. cbn [cost] in H. unfold bind_option, guard in H.
    destruct (measure_eqb m m0) eqn:E; [|discriminate]. apply measure_eqb_eq in E. subst m0. destruct (step_facts fs) as [gs|] eqn:S; [|discriminate].
    destruct (@step_facts_ok I fs gs S) as (w & In_steps & -> & W). destruct (lifts m).
    2:{ destruct (steps_in d) as [n|] eqn:D; [|discriminate]. assert (H1 : 0 <= Q2R 1) by (rewrite Q2R_1; lra).
      destruct (cost md p m [] _ 1%Q) as [none|] eqn:C0; [|discriminate]. destruct (Hp md m [] _ 1%Q none H1 C0) as (_ & _ & _ & Z).
      match type of H with (let ask := ?f in _) = _ => set (ask := f) in H | step_by_step _ ?f _ _ _ = _ => set (ask := f) in H end. cbv zeta in H.
      assert (Same : forall ys, ask ys = cost md p m ys (one_step w fs) 1%Q).
      { intros ys. unfold ask. destruct p as [r [|q [|? ?]]]; try reflexivity; destruct r; try reflexivity.
        cbn [cost]. unfold bind_option, guard. destruct (measure_eqb m target); [|reflexivity]. destruct (cost md q _ _ _ _) as [ks|]; [|reflexivity].
        exact (halfway_same md source target tight parameter witness ys ks). }
      destruct (fun A => @lift_curve I (denote p) w fs md m d n _ xs ls In_steps D A Z H) as (N & L & P).
      - intros ys ks C. rewrite Same in C. destruct (Hp md m ys _ 1%Q ks H1 C) as (N & L & P & _). rewrite Q2R_1 in P. auto.
      - split; [exact N|]. split; [exact L|]. split; intros x y K; apply W in K; [exact (P x y K) | cbn [denote map combined]; now apply Z]. }
    destruct (cost md p m (points_of_step m d xs) _ _) as [ks|] eqn:C; [|discriminate].
    destruct (Hp md m _ _ _ ks (step_of_nonneg m d) C) as (N & L & P & Z).
    assert (F : Forall nonneg_loss ls /\ length xs = length ls) by (now apply (@lifted_nonneg_length md m d xs _ ls Hd H)).
    split; [apply F|]. split; [apply F|]. split; intros x y K.
    + apply W in K. refine (lift_steps In_steps Hd H L N _ Z K). intros u v Kn. destruct (step_or_no_points m d xs) as [One|No].
      * rewrite One, Q2R_1 in P. now apply P.
      * rewrite No in *. destruct ks; [constructor | discriminate L].
    + cbn [denote map combined]. apply Z, W, K.
  - (* Locally *)
    destruct ps as [|p [|]]; try discriminate H. inversion IH as [|u v Hp _]; subst. cbn [cost] in H. unfold bind_option, guard in H.
    destruct (measure_eqb m MPure && _)%bool eqn:E; [|discriminate]. apply andb_prop in E. destruct E as [E St]. apply measure_eqb_eq in E. subst m.
    apply (@starts_in_ok I) in St. destruct St as [S F]. destruct (cost md p MPure [0%Q] _ 1%Q) as [row|] eqn:C; [|discriminate].
    destruct (each_report Hp C) as (l & -> & Nl & Each). cbn [hd] in H. set (one := report_of p) in *.
    apply (@lift_one MPure (Tree Locally [p]) ChangeOne fs md xs d l ls eq_refl S F Hd Nl H); intros x y K; inversion K as [|f fs' K' _]; subst;
    destruct x as [of a| | | | | |], y as [of' b| | | | | |]; cbn [fact_holds apart] in K'; try tauto; destruct K' as [_ K'].
    + change (pure (bind (LocalModel.reports one a) (fun l => ret (Several l))) (bind (LocalModel.reports one b) (fun l => ret (Several l))) (Q2R (fst l))).
      apply (div_post (ms := pure)), LocalModel.reports_close; [apply Nl | exact Each | exact K'].
    + change (same (bind (LocalModel.reports one a) (fun l => ret (Several l))) (bind (LocalModel.reports one b) (fun l => ret (Several l)))).
      apply same_bind; [|auto]. now apply LocalModel.reports_same, LocalModel.change_one_0.
  - (* Shuffled *)
    destruct ps as [|p [|]]; try discriminate H. inversion IH as [|u v Hp _]; subst. cbn [cost] in H. unfold bind_option, guard in H.
    destruct (measure_eqb m MApprox && _ && _)%bool eqn:E; [|discriminate]. rewrite !andb_true_iff in E. destruct E as [[E St] Sz].
    apply measure_eqb_eq in E. subst m. apply (@starts_in_ok I) in St. destruct St as [S F].
    destruct (above_0 delta && above_0 (1 - delta))%bool eqn:D; [|discriminate]. apply andb_prop in D. destruct D as [D0 D1].
    apply above_0_R in D0, D1. rewrite Q2R_minus, Q2R_1 in D1. assert (D : 0 < Q2R delta < 1) by lra.
    destruct (cost md p MPure [0%Q] _ 1%Q) as [row|] eqn:C; [|discriminate].
    destruct (each_report Hp C) as (l & -> & Nl & Each). cbn [hd] in H. set (one := report_of p) in *.
    destruct (hidden_above size delta (fst l)) as [e|] eqn:Hi; [|discriminate].
    destruct (@hidden_above_ok _ _ _ _ D (proj1 Nl) Hi) as (N0 & Enough & Most).
    assert (Ne : nonneg_loss (e, delta)) by (split; cbn [fst snd]; lra).
    apply (@lift_one MApprox (Tree (Shuffled size delta) [p]) ChangeOne fs md xs d (e, delta) ls eq_refl S F Hd Ne H); intros x y K; pose proof K as Ks; inversion K as [|f fs' K' _]; subst;
    destruct x as [of a| | | | | |], y as [of' b| | | | | |]; cbn [fact_holds apart] in K'; try tauto; destruct K' as [_ K'].
    + destruct (is_sized_ok Sz Ks) as [La _].
      change (approx (bind (LocalModel.reports one a) (fun l => ret (Several l))) (bind (LocalModel.reports one b) (fun l => ret (Several l))) (Q2R e, Q2R delta)).
      apply (div_post (ms := approx)). eapply (div_le (divergence := divergence_approx)); [|exact (@Clones.reports_shuffled _ _ one _ _ _ D (proj1 Nl) Enough Each a b La K')].
      split; [exact Most | apply Rle_refl].
    + change (same (bind (LocalModel.reports one a) (fun l => ret (Several l))) (bind (LocalModel.reports one b) (fun l => ret (Several l)))).
      apply same_bind; [|auto]. now apply LocalModel.reports_same, LocalModel.change_one_0.
  - (* ParallelSymmetric *)
    cbn [cost] in H. cbv zeta in H. unfold bind_option at 1 2, guard in H. destruct (measure_eqb m m0 && _)%bool eqn:E; [|discriminate].
    apply andb_prop in E. destruct E as [E NT]. apply measure_eqb_eq in E. subst m0. apply negb_true_iff in NT.
    assert (NT' : m <> MTradeoff) by (intros ->; discriminate). clear NT.
    destruct (has (Part Symmetric) fs && distinct keys && Nat.eqb (length keys) (length ps))%bool eqn:E; [|discriminate].
    rewrite !andb_true_iff in E. destruct E as [[E1 E2] E3]. apply distinct_ok in E2. apply Nat.eqb_eq in E3.
    apply (@by_steps_ok (Tree (ParallelSymmetric m keys) ps) (Part Symmetric) fs md m d xs _ ls eq_refl E1 Hd) with (2 := H).
    intros s ys ks Hs One C. unfold bind_option in C. destruct (all_of _ ps) as [rows|] eqn:R; [|discriminate]. injection C as <-. apply all_of_ok in R.
    set (Ms := map (denote (I := I)) ps).
    split; [apply Forall_map, Forall_forall; intros; apply worst_nonneg|]. split; [now rewrite map_length, columns_length|].
    split; intros x y K; pose proof (Forall_inv K) as A; destruct x as [| | | |of zs a| |], y as [| | | |of' zs' b| |]; cbn [fact_holds apart] in A; try tauto; destruct A as (<- & <- & _ & A);
    destruct (parts_at (of_rows_parts K) Hs One IH R) as [O Mv].
    + change (Forall2 (fun q l => meets m (Q2R q) (parallel_rule Ms keys (Parts of zs a)) (parallel_rule Ms keys (Parts of zs b)) (real m l)) ys (map worst (columns ys rows))).
      cbn [parallel_rule]. destruct (constants_eqb keys zs) eqn:Ek; [apply constants_eqb_eq in Ek; subst zs | apply all_refl].
      2: apply Forall_map, Forall_forall; intros; apply worst_nonneg. 2: now rewrite map_length, columns_length.
      apply Forall2_map_r. apply Forall2_weaken with (2 := Mv). intros q col Mq. apply meets_post.
      rewrite <- (app_nil_r Ms). exact (parallel_close [] E2 E3 O Mq NT' A).
    + change (same (parallel_rule Ms keys (Parts of zs a)) (parallel_rule Ms keys (Parts of zs b) : release)).
      cbn [parallel_rule]. destruct (constants_eqb keys zs) eqn:Ek; [apply constants_eqb_eq in Ek; subst zs | auto].
      apply same_bind; [|auto]. rewrite <- (app_nil_r Ms). exact (parallel_same [] E3 O (parts_symmetric_0 E2 A)).
  - (* ParallelChangeOne *)
    cbn [cost] in H. cbv zeta in H. unfold bind_option at 1 2 3, guard in H. destruct (measure_eqb m m0 && adds m)%bool eqn:E; [|discriminate].
    apply andb_prop in E. destruct E as [E Ad]. apply measure_eqb_eq in E. subst m0. set (n := length keys) in *.
    destruct (has (Part ChangeOne) fs && distinct keys && Nat.eqb (n + n) (length ps))%bool eqn:E; [|discriminate].
    rewrite !andb_true_iff in E. destruct E as [[E1 E2] E3]. apply distinct_ok in E2. apply Nat.eqb_eq in E3.
    destruct (list_eqb alike (firstn n ps) (skipn n ps)) eqn:E4; [|discriminate].
    apply (@by_steps_ok (Tree (ParallelChangeOne m keys) ps) (Part ChangeOne) fs md m d xs _ ls eq_refl E1 Hd) with (2 := H).
    intros s ys ks Hs One C. unfold bind_option in C. destruct (halves _ _ n ps) as [rows|] eqn:R; [|discriminate].
    set (w := map _ (combine _ _)) in C. assert (Ew : ks = w) by (injection C; intros E; now symmetry). subst ks. clear C.
    apply halves_ok in R. destruct R as [R R'].
    assert (Nw : Forall nonneg_loss w) by (apply Forall_map, Forall_forall; intros; apply worst_nonneg).
    assert (Lw : length ys = length w) by (unfold w; rewrite map_length, combine_length, !columns_length; lia).
    split; [exact Nw|]. split; [exact Lw|]. set (Ms := map (denote (I := I)) ps).
    assert (I1 : Forall sound (firstn n ps) /\ Forall sound (skipn n ps)) by (rewrite <- (firstn_skipn n ps) in IH; now apply Forall_app in IH).
    destruct I1 as [IF IS]. assert (LF : n = length (firstn n ps)) by (rewrite firstn_length; lia).
    assert (Msplit : Ms = (map (denote (I := I)) (firstn n ps) ++ map (denote (I := I)) (skipn n ps))%list) by (unfold Ms; rewrite <- map_app; now rewrite firstn_skipn).
    split; intros x y K; pose proof (Forall_inv K) as A; destruct x as [| | | |of zs a| |], y as [| | | |of' zs' b| |]; cbn [fact_holds apart] in A; try tauto; destruct A as (<- & <- & _ & A);
    destruct (parts_at (of_rows_parts K) Hs One IF R) as [O Mv].
    + change (Forall2 (fun q l => meets m (Q2R q) (parallel_rule Ms keys (Parts of zs a)) (parallel_rule Ms keys (Parts of zs b)) (real m l)) ys w).
      cbn [parallel_rule]. destruct (constants_eqb keys zs) eqn:Ek; [apply constants_eqb_eq in Ek; subst zs | now apply all_refl].
      pose proof (changed_at (of_rows_parts K) Hs One IS E4 R') as Mc.
      apply Forall2_map_r. apply Forall2_weaken with (2 := Forall2_combine Mv Mc). intros q [col col'] [Mq Mq']. cbn [fst snd]. apply meets_post.
      rewrite Msplit. exact (parallel_change_close _ E2 LF O Mq Mq' Ad A).
    + change (same (parallel_rule Ms keys (Parts of zs a)) (parallel_rule Ms keys (Parts of zs b) : release)).
      cbn [parallel_rule]. destruct (constants_eqb keys zs) eqn:Ek; [apply constants_eqb_eq in Ek; subst zs | auto].
      apply same_bind; [|auto]. rewrite Msplit. exact (parallel_same _ LF O (parts_change_one_0 E2 A)).
  - (* ParallelAlike *)
    destruct ps as [|p [|]]; try discriminate H. inversion IH as [|? ? Hp _]; subst. cbn [cost] in H. cbv zeta in H. unfold bind_option at 1, guard in H.
    destruct (measure_eqb m m0 && _ && _)%bool eqn:E; [|discriminate]. rewrite !andb_true_iff in E. destruct E as [[E NT] E1].
    apply measure_eqb_eq in E. subst m0. apply negb_true_iff in NT. assert (NT' : m <> MTradeoff) by (intros ->; discriminate). clear NT.
    apply (@by_steps_ok (Tree (ParallelAlike m) [p]) (Part Symmetric) fs md m d xs _ ls eq_refl E1 Hd) with (2 := H).
    intros s ys ks Hs One R. destruct (Hp md m ys _ s ks Hs R) as (N & L & _ & Z). split; [exact N|]. split; [exact L|].
    split; intros x y K; pose proof (Forall_inv K) as A; destruct x as [| | | |of zs a| |], y as [| | | |of' zs' b| |]; cbn [fact_holds apart] in A; try tauto; destruct A as (<- & <- & _ & A);
    pose proof (of_rows_parts K) as Kp;
    (assert (O : @orderless I of p) by (intros u v T; apply Z; apply (part_known Kp); now apply at_once)).
    + change (Forall2 (fun q l => meets m (Q2R q) (on_every_part (denote p) (Parts of zs a)) (on_every_part (denote p) (Parts of zs b)) (real m l)) ys ks).
      cbn [on_every_part]. destruct (distinct zs) eqn:Ek; [apply distinct_ok in Ek | now apply all_refl].
      apply Forall2_weaken with (2 := part_asked Kp Hs One (@at_once of) Hp R). intros q l Mq. apply meets_post.
      exact (alike_close Ek O Mq NT' A).
    + change (same (on_every_part (denote p) (Parts of zs a)) (on_every_part (denote p) (Parts of zs b) : release)).
      cbn [on_every_part]. destruct (distinct zs) eqn:Ek; [apply distinct_ok in Ek | auto].
      apply same_bind; [|auto]. exact (alike_same O (parts_symmetric_0 Ek A)).
  - (* ParallelAlikeChangeOne *)
    destruct ps as [|p [|q [|]]]; try discriminate H. inversion IH as [|? ? Hp IH']; subst. inversion IH' as [|? ? Hq _]; subst.
    cbn [cost] in H. cbv zeta in H. unfold bind_option at 1, guard in H.
    destruct (measure_eqb m m0 && _ && _ && _)%bool eqn:E; [|discriminate]. rewrite !andb_true_iff in E. destruct E as [[[E Ad] E1] E4].
    apply measure_eqb_eq in E. subst m0.
    apply (@by_steps_ok (Tree (ParallelAlikeChangeOne m) [p; q]) (Part ChangeOne) fs md m d xs _ ls eq_refl E1 Hd) with (2 := H).
    intros s ys ks Hs One R. unfold bind_option in R. destruct (cost md p m ys _ s) as [ms|] eqn:C1; [|discriminate].
    destruct (cost md q m ys _ s) as [cs|] eqn:C2; [|discriminate]. injection R as <-. set (w := map _ (combine _ _)).
    destruct (Hp md m ys _ s ms Hs C1) as (N & L & _ & Z). destruct (Hq md m ys _ s cs Hs C2) as (N' & L' & _ & _).
    assert (Nw : Forall nonneg_loss w).
    { apply Forall_map, Forall_forall. intros [u v] J. apply in_combine_r in J. rewrite Forall_forall in N'. destruct (N' v J) as [V1 V2].
      cbn [fst snd] in *. unfold nonneg_loss, larger. cbn [fst snd]. rewrite !Q2R_max. split; [apply Rle_trans with (1 := V1) | apply Rle_trans with (1 := V2)]; apply Rmax_r. }
    assert (Lw : length ys = length w) by (unfold w; rewrite map_length, combine_length, <- L, <- L'; lia).
    split; [exact Nw|]. split; [exact Lw|].
    split; intros x y K; pose proof (Forall_inv K) as A; destruct x as [| | | |of zs a| |], y as [| | | |of' zs' b| |]; cbn [fact_holds apart] in A; try tauto; destruct A as (<- & <- & _ & A);
    pose proof (of_rows_parts K) as Kp;
    (assert (O : @orderless I of p) by (intros u v T; apply Z; apply (part_known Kp); now apply at_once)).
    + change (Forall2 (fun q l => meets m (Q2R q) (on_every_part (denote p) (Parts of zs a)) (on_every_part (denote p) (Parts of zs b)) (real m l)) ys w).
      cbn [on_every_part]. destruct (distinct zs) eqn:Ek; [apply distinct_ok in Ek | now apply all_refl].
      apply Forall2_map_r. apply Forall2_weaken with (2 := Forall2_combine (part_asked Kp Hs One (@at_once of) Hp C1) (part_asked Kp Hs One (@at_change of) Hq C2)).
      intros t [l c] [Ml Mc]. cbn [fst snd]. apply meets_post.
      assert (Mc' : @costs I change_one m of p t c) by (destruct Mc as [Nc Pc]; split; [exact Nc | intros u v T; rewrite (alike_ok I p q E4); now apply Pc]).
      exact (alike_change_close Ek O Ml Mc' Ad A).
    + change (same (on_every_part (denote p) (Parts of zs a)) (on_every_part (denote p) (Parts of zs b) : release)).
      cbn [on_every_part]. destruct (distinct zs) eqn:Ek; [apply distinct_ok in Ek | auto].
      apply same_bind; [|auto]. exact (alike_same O (parts_change_one_0 Ek A)).
  - (* Jointly *)
    cbn [cost] in H. unfold bind_option, guard in H. destruct (measure_eqb m m0 && _ && _ && _)%bool eqn:E; [|discriminate].
    rewrite !andb_true_iff, negb_true_iff in E. destruct E as [[[E Cu] St] Nj]. apply measure_eqb_eq in E. subst m0.
    destruct (forallb (fun v => Nat.eqb _ _) joint); [|discriminate]. destruct (by_part _ _ ps joint) as [columns|] eqn:C; [|discriminate].
    pose proof (by_part_ok IH Kept_below Nj C) as Fo. apply (@starts_in_ok I) in St. destruct St as [S F].
    assert (NT : m <> MTradeoff) by (now intros ->).
    apply (@lift_one m (Tree (Jointly m joint source) ps) source fs md xs d _ ls Cu S F Hd (worst_nonneg _) H); intros x y K.
    + unfold close. change (denote (Tree (Jointly m joint source) ps)) with (fun d : data => bind (all (parts denote ps) d) (fun l => ret (Several l))).
      apply meets_post. destruct (jointly_close (D := divergence_of (Q2R 0) NT) (C := composes_of _ _ (figures_add _ Cu)) Fo Own K) as (ks & J & Cl).
      destruct (together_in md _ _ J) as (k & Jk & L).
      apply meets_le with (2 := Cl). apply le_trans with (1 := at_least_sum_ok m L). apply real_le, worst_ge, Jk.
    + change (denote (Tree (Jointly m joint source) ps)) with (fun d : data => bind (all (parts denote ps) d) (fun l => ret (Several l))).
      apply same_bind; [|auto]. exact (jointly_same Fo Own K).
  - (* Overlapping *)
    cbn [cost] in H. unfold bind_option, guard in H. destruct (measure_eqb m m0 && _ && _ && _)%bool eqn:E; [|discriminate].
    rewrite !andb_true_iff, negb_true_iff in E. destruct E as [[[E Cu] St] Many]. apply measure_eqb_eq in E. subst m0. apply Nat.eqb_eq in Many.
    destruct (all_of _ ps) as [rows|] eqn:C; [|discriminate]. apply all_of_ok in C. apply (@starts_in_ok I) in St. destruct St as [S F].
    assert (H1 : 0 <= Q2R 1) by (rewrite Q2R_1; lra). set (Ms := map (denote (I := I)) ps).
    assert (Manys : length touched = length Ms) by (unfold Ms; now rewrite map_length).
    assert (Moved : forall D e u v, known (one_step Symmetric fs) e (Rows D u : data) (Rows D v) ->
      Forall2 (fun M l => nonneg_loss l /\
        (forall u v, symmetric 0 u v -> same (M (Rows D u : data)) (M (Rows D v) : release)) /\
        (forall u v, symmetric 1 u v -> meets m (Q2R 0) (M (Rows D u : data)) (M (Rows D v)) (real m l))) Ms (map (hd zero_loss) rows)).
    { intros D e u v K. unfold Ms. clear H Many Manys Kept Kept_below Own Ms. revert IH. induction C as [|p row ps rows C _ IHC]; intros IH; [constructor|].
      inversion IH as [|? ? Hp Hs]; subst. cbn [map]. constructor; [|now apply IHC].
      destruct (Hp md m [0%Q] _ 1%Q row H1 C) as (N & L & P & Z). destruct row as [|l [|]]; try discriminate L. inversion N as [|? ? Nl _]; subst. cbn [hd].
      split; [exact Nl|]. split; intros a b T.
      - apply Z. exact (any_rows K T).
      - rewrite Q2R_1 in P. exact (Forall2_one (P _ _ (any_rows K T))). }
    apply (@lift_one m (Tree (Overlapping m by_ touched) ps) Symmetric fs md xs d _ ls Cu S F Hd (dearest_nonneg _ _ _) H); intros x y K;
    inversion K as [|f gs K' _]; subst; destruct x as [of a| | | | | |], y as [of' b| | | | | |]; cbn [fact_holds apart] in K'; try tauto; destruct K' as [<- K'].
    + change (meets m (Q2R 0) (bind (all (map (of_classes by_) (combine touched Ms)) (Rows of a : data)) (fun l => ret (Several l)))
        (bind (all (map (of_classes by_) (combine touched Ms)) (Rows of b : data)) (fun l => ret (Several l))) (real m (dearest md touched (map (hd zero_loss) rows)))).
      apply meets_post. exact (overlapping_close by_ md Manys (Moved of 1 a b K) Cu K').
    + change (same (bind (all (map (of_classes by_) (combine touched Ms)) (Rows of a : data)) (fun l => ret (Several l)))
        (bind (all (map (of_classes by_) (combine touched Ms)) (Rows of b : data)) (fun l => ret (Several l)) : release)).
      apply same_bind; [|auto]. exact (overlapping_same by_ Manys (Moved of 0 a b K) Cu K').
  - (* Adaptive *)
    destruct ps; [|discriminate]. cbn [cost] in H. unfold bind_option, guard in H. destruct (measure_eqb m m0 && _ && _)%bool eqn:E; [|discriminate].
    rewrite !andb_true_iff, negb_true_iff in E. destruct E as [[E Cu] St]. apply measure_eqb_eq in E. subst m0.
    destruct (nonnegs (map fst losses) && _ && _)%bool eqn:E; [|discriminate]. rewrite !andb_true_iff in E. destruct E as [[N1 N2] As].
    apply Nat.eqb_eq in As. apply nonnegs_ok in N1, N2. apply (@starts_in_ok I) in St. destruct St as [S F].
    assert (As' : length (map (real m) losses) = length choices) by now rewrite map_length. assert (NT : m <> MTradeoff) by (now intros ->).
    assert (N : nonneg_loss (sum_of md losses)).
    { apply at_least_sum_nonneg with (2 := sum_of_ok md losses). clear -N1 N2. induction losses; [constructor|]. inversion N1; inversion N2; subst. constructor; [now split | auto]. }
    apply (@lift_one m (Tree (Adaptive m losses choices source) []) source fs md xs d _ ls Cu S F Hd N H); intros x y K; inversion K as [|f fs' K' _]; subst.
    + apply meets_le with (1 := at_least_sum_ok m (sum_of_ok md losses)). apply same_at_points with (1 := Cu) (x := 0).
      exact (staged_close (D := divergence_of 0 NT) (C := composes_of m 0 (figures_add _ Cu)) As' Own K').
    + exact (staged_same As' Own K').
  - (* Asking *)
    cbn [cost] in H. unfold bind_option, guard in H. destruct (measure_eqb m m0 && _ && _ && _)%bool eqn:E; [|discriminate].
    rewrite !andb_true_iff, negb_true_iff in E. destruct E as [[[E Cu] St] Nb]. apply measure_eqb_eq in E. subst m0.
    apply nonnegs_ok in Nb. inversion Nb as [|? ? N1 Nb']; inversion Nb' as [|? ? N2 _]; subst.
    apply (@starts_in_ok I) in St. destruct St as [S F]. destruct (all_of _ ps) as [rows|]; [|discriminate].
    apply (@lift_one m (Tree (Asking m budget more source) ps) source fs md xs d _ ls Cu S F Hd (worst_nonneg _) H); intros x y K; inversion K as [|f fs' K' _]; subst.
    + apply meets_le with (real m (budget, more)); [apply real_le, worst_ge; now left|].
      apply same_at_points with (1 := Cu) (x := 0). exact (answers_close Cu Own N1 N2 K').
    + exact (answers_same Own K').
  - (* AskingAtOrders *)
    cbn [cost] in H. unfold bind_option at 1, guard in H. destruct (measure_eqb m MRenyi && _ && _ && _)%bool eqn:E; [|discriminate].
    rewrite !andb_true_iff in E. destruct E as [[[E St] Or] Nb]. apply measure_eqb_eq in E. subst m.
    apply (@starts_in_ok I) in St. destruct St as [S F]. unfold bind_option at 1 in H. destruct (steps_in d) as [n|] eqn:D; [|discriminate].
    assert (H1 : 0 <= Q2R 1) by (rewrite Q2R_1; lra).
    assert (Pts : forall p, In p points -> 1 < Q2R (fst p) /\ 0 <= Q2R (snd p)).
    { intros p J. rewrite forallb_forall in Or. specialize (Or p J). apply Facts.Qlt_bool_R in Or. rewrite Q2R_1 in Or. split; [exact Or|].
      apply nonnegs_ok in Nb. rewrite Forall_forall in Nb. apply Nb. now apply in_map. }
    assert (Same : forall x y : data, known (one_step source fs) 0 x y -> same (denote (Tree (AskingAtOrders points source) ps) x : release) (denote (Tree (AskingAtOrders points source) ps) y)).
    { intros x y K. inversion K as [|f fs' K' _]; subst. exact (at_orders_same Own K'). }
    match type of H with (let ask := ?f in _) = _ => set (ask := f) in H | step_by_step _ ?f _ _ _ = _ => set (ask := f) in H end. cbv zeta in H.
    destruct (fun A => @lift_curve I (denote (Tree (AskingAtOrders points source) ps)) source fs md MRenyi d n ask xs ls S D A Same H) as (N & L & P).
    + intros ys ks C. unfold ask, bind_option in C. destruct (all_of _ ys) as [budgets|] eqn:B; [|discriminate].
      assert (Good : Forall2 (fun y l => nonneg_loss l /\ forall x y' : data, apart source 1 x y' -> meets MRenyi (Q2R y) (answers_at_orders points x) (answers_at_orders points y') (real MRenyi l)) ys budgets).
      { apply all_of_ok in B. apply Forall2_weaken with (2 := B). intros y l E. destruct (least_from points y) as [b|] eqn:Lf; [|discriminate E]. injection E as <-. split.
        - destruct (least_from_ok _ _ Lf) as (p & J & _ & <-). apply nonneg_figure. now apply Pts.
        - intros u v K. exact (at_orders_close Own Pts K Lf). }
      assert (Into : forall ks, Forall2 (fun y k => nonneg_loss k /\ exists l, at_most l k /\ (forall x y' : data, apart source 1 x y' -> meets MRenyi (Q2R y) (answers_at_orders points x) (answers_at_orders points y') (real MRenyi l))) ys ks ->
        Forall nonneg_loss ks /\ length ys = length ks /\ forall x y, known (one_step source fs) 1 x y -> Forall2 (close MRenyi (Tree (AskingAtOrders points source) ps) x y) ys ks).
      { intros js G. split; [apply Forall2_Forall_r with (2 := G); now intros ? ? [? _]|]. split; [exact (Forall2_lengths G)|].
        intros x y K. apply Forall2_weaken with (2 := G). intros q k [_ (l & Le & M)]. inversion K as [|f fs' K' _]; subst.
        apply meets_le with (real MRenyi l); [now apply real_le | exact (M x y K')]. }
      destruct (all_of _ ps) as [rows|] eqn:R; [|discriminate]. destruct rows as [|row rows].
      * injection C as <-. apply Into. apply Forall2_weaken with (2 := Good). intros y l [N M]. split; [exact N|]. exists l. split; [split; apply Rle_refl | exact M].
      * destruct (together_at md MRenyi ys (row :: rows)) as [asked|] eqn:T; [|discriminate]. injection C as <-. apply Into.
        apply all_of_ok in R. destruct (rows_ok H1 IH R) as (_ & Lr & _). pose proof (@together_at_length md MRenyi ys (row :: rows) asked T Lr) as La. clear -Good La.
        revert asked La. unfold worse_of. induction Good as [|y l ys budgets [N M] _ IHg]; intros [|j js] La; try discriminate La; [constructor|].
        simpl. constructor; [|apply IHg; now injection La]. split; [exact (worst_nonneg [l; j])|]. exists l. split; [apply (@worst_ge l [l; j]); now left | exact M].
    + split; [exact N|]. split; [exact L|]. split; intros x y K; apply F in K; [exact (P x y K) | exact (Same x y K)].
  - (* Comparing *)
    destruct ps; [|discriminate]. cbn [cost] in H. unfold bind_option, guard in H. destruct (measure_eqb m MPure && _ && _ && _)%bool eqn:E; [|discriminate].
    rewrite !andb_true_iff in E. destruct E as [[[E St] T] Q]. apply measure_eqb_eq in E. subst m.
    apply Facts.Qlt_bool_R in T, Q. rewrite Q2R_0 in T, Q. apply (@starts_in_ok I) in St. destruct St as [S F].
    set (loss := Qred _) in H.
    assert (V : Q2R loss = / Q2R threshold_scale + 2 * IZR (Zpos hits) * / Q2R query_scale).
    { assert (T0 : ~ (threshold_scale == 0)%Q) by (intros Z; apply Qeq_eqR in Z; rewrite Z, Q2R_0 in T; lra).
      assert (Q0 : ~ (query_scale == 0)%Q) by (intros Z; apply Qeq_eqR in Z; rewrite Z, Q2R_0 in Q; lra).
      unfold loss. rewrite Q2R_red, Q2R_plus, !Q2R_mult, (Q2R_inv _ T0), (Q2R_inv _ Q0).
      replace (Q2R 2) with 2 by (unfold Q2R; simpl; lra). replace (Q2R (Zpos hits # 1)) with (IZR (Zpos hits)) by (unfold Q2R; simpl; field). reflexivity. }
    assert (N : nonneg_loss (loss, 0%Q)).
    { split; cbn [fst snd]; [|rewrite Q2R_0; lra]. rewrite V. pose proof (Rinv_0_lt_compat _ T). pose proof (Rinv_0_lt_compat _ Q).
      assert (0 < IZR (Zpos hits)) by (apply IZR_lt; reflexivity). nra. }
    apply (@lift_one MPure (Tree (Comparing threshold threshold_scale query_scale hits source) []) source fs md xs d _ ls eq_refl S F Hd N H); intros x y K; inversion K as [|f fs' K' _]; subst.
    + unfold close. cbn [real meets single fst]. rewrite V. exact (compared_by_turns_close Own T Q K').
    + exact (compared_by_turns_same Own K').
Qed.
End Sound.
